package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// store keeps files by their names, with slashes between folders.
type store interface {
	// put stores a file whole or not at all. It returns ErrExists if there is one of that name.
	put(ctx context.Context, name string, body *io.SectionReader) error
	// get returns a file's content, or ErrMissing.
	get(ctx context.Context, name string) (io.ReadCloser, error)
	// list returns what lies in a folder, "" or a name with a slash at its end. The names of folders in it end with a slash, too.
	list(ctx context.Context, folder string) ([]string, error)
	remove(ctx context.Context, name string) error
}

// Place says where an archive is.
type Place struct {
	text   string
	folder string // "": a bucket
	host   string
	secure bool
	bucket string
	prefix string // "" or ending in a slash
}

// ParsePlace reads an absolute path of a folder, or s3://HOST/BUCKET/PREFIX. A bucket is reached by https, and by http on this machine.
func ParsePlace(text string) (*Place, error) {
	if filepath.IsAbs(text) {
		return &Place{text: text, folder: filepath.Clean(text)}, nil
	}
	wrong := errors.New("it has to be the absolute path of a folder, or s3://HOST/BUCKET/PREFIX without a password")
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, wrong
	}
	name, prefix, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if name == "" || u.RawPath != "" {
		return nil, wrong
	}
	if prefix != "" {
		prefix += "/"
	}
	ip := net.ParseIP(u.Hostname())
	here := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return &Place{text: text, host: u.Host, secure: !here, bucket: name, prefix: prefix}, nil
}

// String returns the text that was parsed.
func (p *Place) String() string { return p.text }

func (p *Place) open() (store, error) {
	if p.folder != "" {
		return openFolder(p.folder)
	}
	return newBucket(p)
}

// CheckOutside returns an error if the archive is a folder within dir, because both would be lost together.
func (p *Place) CheckOutside(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil || p.folder == "" {
		return err
	}
	if rel, err := filepath.Rel(dir, p.folder); err == nil && filepath.IsLocal(rel) {
		return fmt.Errorf("it may not be in the data folder, %s: both would be lost together", dir)
	}
	return nil
}

// Environment returns the variables of this process that a child needs to reach a bucket.
func Environment() (needed []string) {
	for _, one := range os.Environ() {
		name, _, _ := strings.Cut(one, "=")
		switch strings.ToUpper(name) {
		case "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION",
			"SSL_CERT_FILE", "SSL_CERT_DIR", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY":
			needed = append(needed, one)
		}
	}
	return needed
}
