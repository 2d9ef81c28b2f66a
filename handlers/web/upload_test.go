package web_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fault"
)

func TestParseUpload(t *testing.T) {
	t.Parallel()
	const total, each = 1000, 300
	form := func(parts ...string) (string, string) {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for _, p := range parts {
			name, content, _ := strings.Cut(p, "=")
			if file, ok := strings.CutPrefix(name, "@"); ok {
				part, _ := w.CreateFormFile(file, "f")
				_, _ = io.WriteString(part, content)
			} else {
				_ = w.WriteField(name, content)
			}
		}
		_ = w.Close()
		return body.String(), w.FormDataContentType()
	}
	read := func(body, media string) (got web.Upload, err error) {
		server := httptest.NewServer(web.Limited(total)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got, err = web.ParseUpload(w, r, each)
		})))
		defer server.Close()
		res, failed := http.Post(server.URL, media, strings.NewReader(body))
		check.Must(t, failed)
		_ = res.Body.Close()
		return got, err
	}

	got, err := read(form("a=1", "@f=photo", "@f=other", "@g=", "a=2"))
	if err != nil || len(got.Values["a"]) != 2 || string(got.Files["f"]) != "photo" || len(got.Files) != 1 || got.Cut {
		t.Errorf("a form: %+v %v", got, err)
	}
	got, err = read(form("a=1", "@f="+strings.Repeat("x", each+1), "@g=small"))
	if err != nil || !got.Large["f"] || got.Files["f"] != nil || string(got.Files["g"]) != "small" {
		t.Errorf("a file that is too large: %+v %v", got, err)
	}
	got, err = read(form("a=1", "@f="+strings.Repeat("x", total)))
	if err != nil || !got.Cut || got.Values.Get("a") != "1" {
		t.Errorf("a body that is too large: %+v %v", got, err)
	}
	got, err = read("a=1&b=2", "application/x-www-form-urlencoded")
	check.Must(t, err, "a form without files")
	check.Equal(t, got.Values.Get("b"), "2", "a form without files")
	whole, media := form("a=1", "@f=photo")
	for name, tt := range map[string]struct {
		body, media string
		want        fault.Code
	}{
		"a truncated body": {whole[:len(whole)-30], media, fault.Invalid},
		"another kind":     {"{}", "application/json", fault.Media},
		"no boundary":      {whole, "multipart/form-data", fault.Media},
	} {
		_, err := read(tt.body, tt.media)
		check.Equal(t, fault.CodeOf(err), tt.want, "fault.CodeOf, %s: %v", name, err)
	}
}

// patient is a ResponseWriter that counts how often a request gets more time.
type patient struct {
	*httptest.ResponseRecorder

	extended int
}

func (p *patient) SetReadDeadline(time.Time) error  { p.extended++; return nil }
func (p *patient) SetWriteDeadline(time.Time) error { return nil }

// Each part takes more memory than its bytes, and a name takes its own.
func TestAFormOfManyPartsIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		parts, length int // of each name
		file          bool
		code          fault.Code
	}{
		"a thousand fields":        {1000, 10, false, ""},
		"more fields":              {1001, 10, false, fault.TooLarge},
		"more files":               {1001, 10, true, fault.TooLarge},
		"fields with long names":   {70, 1000, false, fault.TooLarge},
		"fields with shorter ones": {60, 1000, false, ""},
	} {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for i := range tt.parts {
			field := fmt.Sprintf("%0*d", tt.length, i)
			if tt.file {
				_, _ = w.CreateFormFile(field, "f")
			} else {
				_ = w.WriteField(field, "")
			}
		}
		_ = w.Close()
		r := httptest.NewRequest(http.MethodPost, "/", &body)
		r.Header.Set("Content-Type", w.FormDataContentType())
		var err error
		web.Limited(1<<20)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, err = web.ParseUpload(w, r, 300)
		})).ServeHTTP(deadlines{httptest.NewRecorder()}, r)
		if (err == nil) != (tt.code == "") || err != nil && fault.CodeOf(err) != tt.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// deadlines is a recorder whose deadlines can be set.
type deadlines struct{ *httptest.ResponseRecorder }

func (deadlines) SetReadDeadline(time.Time) error  { return nil }
func (deadlines) SetWriteDeadline(time.Time) error { return nil }

// TestOnlyPicturesGetMoreTime: a body that is as small as a form gets no extra time.
func TestOnlyPicturesGetMoreTime(t *testing.T) {
	t.Parallel()
	for size, more := range map[int64]bool{64 << 10: false, 12 << 20: true} {
		w, r := &patient{ResponseRecorder: httptest.NewRecorder()}, httptest.NewRequest(http.MethodPost, "/", strings.NewReader("--x--"))
		r.ContentLength = size
		web.Limited(12<<20)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			leave, err := web.NewUploads(nil).Admit(w, r, "ann")
			check.Must(t, err)
			leave()
		})).ServeHTTP(w, r)
		check.Equal(t, w.extended > 0, more, "a body of %d bytes gets more time", size)
	}
}
