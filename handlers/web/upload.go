package web

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

// uploadTime is how long a body with pictures may take, from a phone with a poor connection.
const uploadTime = 3 * time.Minute

// allowUpload gives a request the time that a body with pictures takes. The server's own timeouts are meant for a few kilobytes.
func (p *paced) allowUpload() error {
	p.begun, p.most = time.Now(), uploadTime
	// The write deadline counts from the same moment.
	return errors.Join(p.control.SetReadDeadline(p.begun.Add(p.most)), p.control.SetWriteDeadline(p.begun.Add(p.most+time.Minute)))
}

// A form with files comes into a temporary file, and only then is read, which takes several times its size of memory. So slow senders hold
// none of the places of those that are read. Each network has one place of either kind, and each account one beside it, and waits for it in
// turn. A place to send is held for uploadTime at most, so one of them gets free every three seconds even if an attacker has them all.
const (
	mostSent    = 64
	mostUploads = 16
	uploadWait  = 20 * time.Second
)

// ErrUploads means that too many forms with files are sent or read. The sender may try again in a few seconds.
var ErrUploads = fault.New(fault.Busy, "too many forms with files at once")

// Uploads counts the forms with files that are sent and read at present.
type Uploads struct {
	proxies    Proxies
	sent, read *throttle.Places
}

// NewUploads returns an Uploads that counts by account and by network.
func NewUploads(proxies Proxies) *Uploads {
	return &Uploads{proxies, throttle.NewPlaces(mostSent, 1, uploadWait), throttle.NewPlaces(mostUploads, 1, uploadWait)}
}

// Admit lets somebody known send files, and then lets them be read, each once it has a place. A body no larger than a form needs none.
// The caller calls leave once the files are no longer in memory. Error: ErrUploads, or fault.Invalid for a body that does not come.
func (u *Uploads) Admit(w http.ResponseWriter, r *http.Request, known string) (leave func(), err error) {
	body, _ := r.Body.(*limitedBody)
	if body == nil || body.slow == nil || r.ContentLength >= 0 && r.ContentLength <= FieldLimit {
		return func() {}, nil
	}
	who := []throttle.Who{throttle.From(u.proxies.Client(r)), throttle.Known(known)}
	_, received, err := u.sent.Enter(r.Context(), who...)
	var done func()
	if err == nil {
		if err = body.receive(w); err == nil {
			_, done, err = u.read.Enter(r.Context(), who...)
		}
		received() // only now, so that no more files wait than there are places
	}
	if errors.Is(err, throttle.ErrFull) {
		Drain(r)
		err = ErrUploads
	}
	if err != nil {
		_ = body.Close()
		return nil, err
	}
	return func() { done(); _ = body.Close() }, nil
}

// drained is how many bytes of a too large body with pictures are read and discarded; see Drain.
const drained = 64 << 20

// receive reads the body into a temporary file, from which it is read later. The file has no name, and only this request has its key: a
// picture of a person's licence is on no disk as it is.
func (b *limitedBody) receive(w http.ResponseWriter) error {
	file, err := os.CreateTemp("", "forecourt-upload-*")
	if err != nil {
		return err
	}
	if err := os.Remove(file.Name()); err != nil {
		return errors.Join(err, file.Close())
	}
	key, iv := make([]byte, 32), make([]byte, aes.BlockSize)
	_, _ = rand.Read(key) // never fails
	_, _ = rand.Read(iv)
	block, err := aes.NewCipher(key)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	stream := func() cipher.Stream { return cipher.NewCTR(block, iv) }
	whole := http.MaxBytesReader(w, b.whole, b.limit+drained)
	if err = b.slow.allowUpload(); err == nil {
		_, err = io.Copy(cipher.StreamWriter{S: stream(), W: file}, io.LimitReader(whole, b.limit+1))
	}
	if err == nil {
		_, err = io.Copy(io.Discard, whole)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		err = fault.New(fault.TooLarge, "body far over %d bytes", b.limit)
	case err != nil && !errors.As(err, new(*os.PathError)):
		err = fault.New(fault.Invalid, "the form did not arrive in time")
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	b.whole = struct {
		io.Reader
		io.Closer
	}{cipher.StreamReader{S: stream(), R: file}, file}
	b.ReadCloser = http.MaxBytesReader(w, b.whole, b.limit)
	return nil
}

// FieldLimit limits the fields of a form with files, all together, in bytes. A body that may be no larger gets no more time than a form.
const FieldLimit = 64 << 10

// Upload is a form that may carry files.
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
	body := &io.LimitedReader{R: limited.whole, N: limited.limit + 1}
	err = u.read(multipart.NewReader(body, params["boundary"]), each)
	if u.Cut = body.N == 0; u.Cut {
		Drain(r)
		return u, nil
	}
	return u, err
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
