package store

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7/pkg/signer"

	"forecourt/internal/secret"
)

const (
	emptySum  = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // SHA-256 of nothing
	maxObject = 5 << 30                                                            // bytes that S3 takes in one request
	maxListed = 64 << 20                                                           // bytes of an answer that lists
)

// Access is the key to a bucket.
type Access struct {
	ID     string
	Secret secret.Text
	Region string
	Roots  *x509.CertPool // of the service; nil: the system's
}

// bucket is a store at an S3-compatible service. Its four requests need the signer of a client library, not the client, which would
// add 2.6 MB to the program.
type bucket struct {
	base   url.URL // with the bucket and the prefix, ending in a slash
	prefix string  // within the bucket, "" or ending in a slash
	access Access
	client *http.Client
}

// NewBucket returns the store in a bucket below prefix, which is "" or ends in a slash. base is the address of the bucket with the prefix.
func NewBucket(base url.URL, prefix string, access Access) Store {
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, TLSHandshakeTimeout: 10 * time.Second,
		ResponseHeaderTimeout: time.Minute, IdleConnTimeout: 2 * time.Minute, MaxIdleConns: 2, ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{RootCAs: access.Roots, MinVersion: tls.VersionTLS12},
	}
	return &bucket{base: base, prefix: prefix, access: access, client: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (s *bucket) Put(ctx context.Context, name string, file *os.File) error {
	sum := sha256.New()
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	size, err := io.Copy(sum, file)
	if err != nil {
		return err
	}
	if size > maxObject {
		return fmt.Errorf("%s has %d bytes, more than the %d that a bucket takes at once: archive to a folder, or use an external database", name, size, maxObject)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	res, err := s.do(ctx, http.MethodPut, name, nil, io.NopCloser(file), size, hex.EncodeToString(sum.Sum(nil)))
	if err != nil {
		return err
	}
	return res.Body.Close()
}

func (s *bucket) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	res, err := s.do(ctx, http.MethodGet, name, nil, nil, 0, emptySum)
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

func (s *bucket) List(ctx context.Context, folder string) ([]Entry, error) {
	var entries []Entry
	for token := ""; ; {
		query := url.Values{"list-type": {"2"}, "prefix": {s.prefix + folder + "/"}}
		if token != "" {
			query.Set("continuation-token", token)
		}
		res, err := s.do(ctx, http.MethodGet, "", query, nil, 0, emptySum)
		if err != nil {
			return nil, err
		}
		var page struct {
			IsTruncated           bool
			NextContinuationToken string
			Contents              []struct {
				Key          string
				Size         int64
				LastModified time.Time
			}
		}
		err = xml.NewDecoder(io.LimitReader(res.Body, maxListed)).Decode(&page)
		if err := errors.Join(err, res.Body.Close()); err != nil {
			return nil, fmt.Errorf("list the bucket: %w", err)
		}
		for _, c := range page.Contents {
			entries = append(entries, Entry{Name: strings.TrimPrefix(c.Key, s.prefix), Size: c.Size, Made: c.LastModified})
		}
		if !page.IsTruncated || page.NextContinuationToken == "" {
			return entries, nil
		}
		token = page.NextContinuationToken
	}
}

func (s *bucket) Remove(ctx context.Context, name string) error {
	res, err := s.do(ctx, http.MethodDelete, name, nil, nil, 0, emptySum)
	if errors.Is(err, ErrMissing) {
		return nil
	}
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// Clean does nothing, since a bucket shows no file before it is whole.
func (s *bucket) Clean(context.Context) error { return nil }

// do sends a signed request for an object, or for the bucket itself if name is empty. An answer other than success is an error.
func (s *bucket) do(ctx context.Context, method, name string, query url.Values, body io.ReadCloser, size int64, sum string) (*http.Response, error) {
	u := s.base
	u.Path = strings.TrimSuffix(u.Path, s.prefix)
	if name == "" {
		u.RawQuery = query.Encode()
	} else {
		u.Path += s.prefix + name
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Amz-Content-Sha256", sum)
	req = signer.SignV4(*req, s.access.ID, s.access.Secret.Reveal(), "", s.access.Region)
	if body != nil {
		req.Body, req.ContentLength = body, size
	}
	res, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 == 2 {
		return res, nil
	}
	var said struct{ Code, Message string }
	err = xml.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&said)
	_ = res.Body.Close()
	switch {
	case said.Code == "NoSuchKey":
		return nil, ErrMissing
	case err != nil || said.Code == "":
		return nil, fmt.Errorf("%s answers %s", u.Host, res.Status)
	}
	return nil, fmt.Errorf("%s answers %s: %s: %s", u.Host, res.Status, said.Code, said.Message)
}
