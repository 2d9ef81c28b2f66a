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

	"forecourt/internal/printable"
	"forecourt/internal/secret"
)

const (
	emptySum  = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // SHA-256 of nothing
	maxObject = 5 << 30                                                            // bytes that S3 takes in one request
	maxPage   = 8 << 20                                                            // bytes of an answer that lists; S3 lists 1,000 names in one
	maxListed = 1 << 20                                                            // names in a list, which are 16 TB of PostgreSQL's log
	// leastListed is how many names an answer that lists fewer counts as, so that empty ones end, too.
	leastListed = 100
	maxSaid     = 300 // characters of a service's message that the log and a terminal show
	// partWithin is how long the next bytes of an answer may take.
	partWithin = time.Minute
)

// errSilent means that an answer does not go on.
var errSilent = errors.New("the bucket's answer does not go on")

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
	most   int // names in a list
}

// NewBucket returns the store in a bucket below prefix, which is "" or ends in a slash. base is the address of the bucket with the prefix.
func NewBucket(base url.URL, prefix string, access Access) Store {
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, TLSHandshakeTimeout: 10 * time.Second,
		ResponseHeaderTimeout: time.Minute, IdleConnTimeout: 2 * time.Minute, MaxIdleConns: 2, ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{RootCAs: access.Roots, MinVersion: tls.VersionTLS12},
	}
	return &bucket{base: base, prefix: prefix, access: access, most: maxListed, client: &http.Client{
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
	listed := 0
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
		err = xml.NewDecoder(io.LimitReader(res.Body, maxPage)).Decode(&page)
		if err := errors.Join(err, res.Body.Close()); err != nil {
			return nil, fmt.Errorf("list the bucket: %w", err)
		}
		for _, c := range page.Contents {
			entries = append(entries, Entry{Name: strings.TrimPrefix(c.Key, s.prefix), Size: c.Size, Made: c.LastModified})
		}
		if listed += max(len(page.Contents), leastListed); listed > s.most {
			return nil, fmt.Errorf("list the bucket: it lists more than %d names below %s, or has no end", s.most, folder)
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
	ctx, cancel := context.WithCancelCause(ctx)
	req, err := http.NewRequestWithContext(ctx, method, u.String(), nil)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	req.Header.Set("X-Amz-Content-Sha256", sum)
	req = signer.SignV4(*req, s.access.ID, s.access.Secret.Reveal(), "", s.access.Region)
	if body != nil {
		req.Body, req.ContentLength = body, size
	}
	res, err := s.client.Do(req)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	res.Body = newAnswer(ctx, cancel, res.Body)
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
	return nil, fmt.Errorf("%s answers %s: %s", u.Host, res.Status, printable.MakeLine(said.Code+": "+said.Message, maxSaid))
}

// answer is the body of an answer. A read that gets nothing for partWithin fails: without a limit, a service that sends the beginning of an answer
// and then nothing would keep its caller for ever. The time that its reader takes between two reads does not count.
type answer struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer // cancels ctx; runs only during a read
}

func newAnswer(ctx context.Context, cancel context.CancelCauseFunc, body io.ReadCloser) *answer {
	a := &answer{ReadCloser: body, ctx: ctx, cancel: cancel, timer: time.AfterFunc(partWithin, func() { cancel(errSilent) })}
	a.timer.Stop()
	return a
}

func (a *answer) Read(p []byte) (int, error) {
	a.timer.Reset(partWithin)
	defer a.timer.Stop()
	n, err := a.ReadCloser.Read(p)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	if cause := context.Cause(a.ctx); errors.Is(cause, errSilent) {
		err = cause
	}
	return n, fmt.Errorf("%w: %w", ErrBroken, err)
}

func (a *answer) Close() error {
	a.timer.Stop()
	defer a.cancel(nil)
	return a.ReadCloser.Close()
}
