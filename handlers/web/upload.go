package web

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/pubsub"
)

// uploadTime is how long a body with pictures may take, from a phone with a poor connection.
const uploadTime = 3 * time.Minute

// AllowUpload gives a request the time that a body with pictures takes. The server's own timeouts are meant for a few kilobytes.
func AllowUpload(w http.ResponseWriter) error {
	control, end := http.NewResponseController(w), time.Now().Add(uploadTime)
	// The write deadline counts from the same moment.
	return errors.Join(control.SetReadDeadline(end), control.SetWriteDeadline(end.Add(time.Minute)))
}

// These limit how many forms with files are read at once, in all and from one network: each may take several times its 12 MiB of memory
// while it is sent.
const (
	mostUploads = 16 // forms with files that are read at once
	eachUploads = 4  // and those of one network
)

// ErrUploads means that too many forms with files are being read. The sender may try again in a few seconds.
var ErrUploads = fault.New(fault.Busy, "too many forms with files at once")

// Uploads counts the forms with files that are read at present.
type Uploads struct {
	slots   *pubsub.Slots
	proxies Proxies
}

// NewUploads returns an Uploads that counts by network.
func NewUploads(proxies Proxies) *Uploads {
	return &Uploads{pubsub.NewSlots(mostUploads, eachUploads), proxies}
}

// Admit lets a request send files, unless too many others do. The caller calls leave once they are no longer in memory. Error: ErrUploads.
func (u *Uploads) Admit(r *http.Request) (leave func(), err error) {
	leave, ok := u.slots.Take(u.proxies.Client(r))
	if !ok {
		Drain(r)
		return nil, ErrUploads
	}
	return leave, nil
}

// drained is how many bytes of a too large body with pictures are read and discarded; see Drain.
const drained = 64 << 20

// FieldLimit limits the fields of a form with files, all together, in bytes. A body that may be no larger gets no more time than a form.
const FieldLimit = 64 << 10

// Upload is a form that may carry files, which are never written to a disk.
type Upload struct {
	Values url.Values
	Files  map[string][]byte // by field, without files over their limit or beyond the body's
	Large  map[string]bool   // fields whose file is over the limit
	Cut    bool              // the body is over its limit; the rest of Upload is what came before that
}

// ParseUpload reads a form post with or without files. each is the limit of one file in bytes; the limit of the body is its route's. Text
// before a file that is too large is kept, so a form should have its files last.
func ParseUpload(w http.ResponseWriter, r *http.Request, each int64) (Upload, error) {
	u := Upload{Values: url.Values{}, Files: map[string][]byte{}, Large: map[string]bool{}}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && media == "application/x-www-form-urlencoded" {
		r.Body = http.MaxBytesReader(w, r.Body, FieldLimit)
		err := ParseForm(r)
		u.Values = r.PostForm
		return u, err
	}
	if err != nil || media != "multipart/form-data" || params["boundary"] == "" {
		return u, fault.New(fault.Media, "content type %q", media)
	}
	limited, ok := r.Body.(*limitedBody)
	if !ok {
		return u, errors.New("a route for uploads without a limit")
	}
	if limited.limit > FieldLimit {
		if err := AllowUpload(w); err != nil {
			return u, err
		}
	}
	whole := http.MaxBytesReader(w, limited.whole, limited.limit+drained)
	body := &io.LimitedReader{R: whole, N: limited.limit + 1}
	err = u.read(multipart.NewReader(body, params["boundary"]), each)
	if body.N > 0 {
		return u, err
	}
	u.Cut = true
	if _, err := io.Copy(io.Discard, whole); err != nil {
		return u, fault.New(fault.TooLarge, "body far over %d bytes", limited.limit)
	}
	return u, nil
}

// mostParts is how many fields and files a form may have. Ours have a few dozen; each part takes memory beyond its bytes.
const mostParts = 1000

// read reads the parts in order. A faulty part does not lose those before it.
func (u *Upload) read(parts *multipart.Reader, each int64) error {
	broken := fault.New(fault.Invalid, "the form does not parse") // the parser's message may quote what was typed
	text := int64(FieldLimit)
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			clean(u.Values)
			return nil
		}
		if err != nil {
			return broken
		}
		if n == mostParts {
			return fault.New(fault.TooLarge, "more than %d fields", mostParts)
		}
		limit := text
		if part.FileName() != "" {
			limit = each
		}
		content, err := io.ReadAll(io.LimitReader(part, limit+1))
		name, file := part.FormName(), part.FileName() != ""
		text -= int64(len(name))
		switch large := int64(len(content)) > limit; {
		case large && file:
			u.Large[name] = true
		case err != nil:
			return broken
		case large:
			return fault.New(fault.TooLarge, "fields over %d bytes", FieldLimit)
		case file && len(content) > 0 && u.Files[name] == nil:
			u.Files[name] = content
		case !file && !isFile(part):
			text -= int64(len(content))
			u.Values.Add(name, string(content))
		}
	}
}

// ReadFields returns the fields of a form that was read. It returns nil for a form with files, for one with more than FieldLimit, and for a
// body that is no form.
func ReadFields(contentType string, body []byte) url.Values {
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil || len(body) > FieldLimit {
		return nil
	}
	switch media {
	case "application/x-www-form-urlencoded":
		fields, err := url.ParseQuery(string(body))
		if err != nil {
			return nil
		}
		return fields
	case "multipart/form-data":
		u := Upload{Values: url.Values{}, Files: map[string][]byte{}, Large: map[string]bool{}}
		err := u.read(multipart.NewReader(bytes.NewReader(body), params["boundary"]), 0)
		if err == nil && len(u.Files)+len(u.Large) == 0 {
			return u.Values
		}
	}
	return nil
}

// isFile reports whether a part comes from a file control, which sends an empty name if no file was chosen.
func isFile(part *multipart.Part) bool {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	_, named := params["filename"]
	return err == nil && named
}
