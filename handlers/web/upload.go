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

	"github.com/google/uuid"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

// A body with pictures may take uploadTime, from a phone with a poor connection, if it comes at leastRate after a pause of uploadPause.
const (
	uploadTime  = 3 * time.Minute
	uploadPause = 10 * time.Second
	leastRate   = 16 << 10 // bytes a second
)

// AllowUpload gives a request the time that a body with pictures takes. The server's own timeouts are meant for a few kilobytes.
func AllowUpload(w http.ResponseWriter) error {
	control, end := http.NewResponseController(w), time.Now().Add(uploadTime)
	// The write deadline counts from the same moment.
	return errors.Join(control.SetReadDeadline(end), control.SetWriteDeadline(end.Add(time.Minute)))
}

// paced reads a body that has to come at leastRate. Otherwise a few senders of one byte now and then would hold all places.
type paced struct {
	io.Reader
	control *http.ResponseController
	begun   time.Time
	read    int64
}

func (p *paced) Read(b []byte) (int, error) {
	due := p.begun.Add(uploadPause + time.Duration(p.read)*time.Second/leastRate)
	if end := p.begun.Add(uploadTime); due.After(end) {
		due = end
	}
	if err := p.control.SetReadDeadline(due); err != nil {
		return 0, err
	}
	n, err := p.Reader.Read(b[:min(len(b), leastRate)])
	p.read += int64(n)
	return n, err
}

// Each form with files may take several times its 12 MiB of memory while it is sent, so few are read at once. An account has one place, and
// waits for it while others have all.
const (
	mostUploads = 16
	uploadWait  = 20 * time.Second
)

// ErrUploads means that too many forms with files are being read. The sender may try again in a few seconds.
var ErrUploads = fault.New(fault.Busy, "too many forms with files at once")

// Uploads counts the forms with files that are read at present.
type Uploads struct{ places *throttle.Places }

// NewUploads returns an Uploads that counts by account.
func NewUploads() *Uploads { return &Uploads{throttle.NewPlaces(mostUploads, 1, uploadWait)} }

// Admit lets an account send files, once it has a place. A body that is no larger than a form needs none. The caller calls leave once the
// files are no longer in memory. Error: ErrUploads.
func (u *Uploads) Admit(w http.ResponseWriter, r *http.Request, account uuid.UUID) (leave func(), err error) {
	if r.ContentLength >= 0 && r.ContentLength <= FieldLimit {
		return func() {}, nil
	}
	if err := AllowUpload(w); err != nil {
		return nil, err
	}
	_, leave, err = u.places.Enter(r.Context(), throttle.Known(account.String()))
	if errors.Is(err, throttle.ErrFull) {
		Drain(r)
		err = ErrUploads
	}
	return leave, err
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
	var whole io.Reader = http.MaxBytesReader(w, limited.whole, limited.limit+drained)
	if limited.limit > FieldLimit {
		if err := AllowUpload(w); err != nil {
			return u, err
		}
		slow := &paced{Reader: whole, control: http.NewResponseController(w), begun: time.Now()}
		defer func() { _ = AllowUpload(w) }() // the deadline of its last byte must not end the request
		whole = slow
	}
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
