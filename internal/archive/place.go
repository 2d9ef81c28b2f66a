package archive

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"forecourt/internal/archive/store"
)

// Access is the key to a bucket.
type Access = store.Access

// Place says where an archive is.
type Place struct {
	text   string
	folder string  // "": a bucket
	base   url.URL // of the bucket, with its prefix
	prefix string
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
	scheme := "https"
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		scheme = "http"
	}
	return &Place{text: text, base: url.URL{Scheme: scheme, Host: u.Host, Path: "/" + name + "/" + prefix}, prefix: prefix}, nil
}

// String returns the text that was parsed.
func (p *Place) String() string { return p.text }

// Bucket reports whether it is a bucket, which needs Access.
func (p *Place) Bucket() bool { return p.folder == "" }

// CheckOutside returns an error if the archive is a folder within dir, because both would be lost together.
func (p *Place) CheckOutside(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil || p.Bucket() {
		return err
	}
	if rel, err := filepath.Rel(dir, p.folder); err == nil && filepath.IsLocal(rel) {
		return fmt.Errorf("it may not be in the data folder, %s: both would be lost together", dir)
	}
	return nil
}
