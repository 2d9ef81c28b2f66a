package web_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"forecourt/handlers/web"
	"forecourt/internal/fault"
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
		if failed != nil {
			t.Fatal(failed)
		}
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
	if err != nil || got.Values.Get("b") != "2" {
		t.Errorf("a form without files: %+v %v", got, err)
	}
	whole, media := form("a=1", "@f=photo")
	for name, tt := range map[string]struct {
		body, media string
		want        fault.Code
	}{
		"a truncated body": {whole[:len(whole)-30], media, fault.Invalid},
		"another kind":     {"{}", "application/json", fault.Media},
		"no boundary":      {whole, "multipart/form-data", fault.Media},
	} {
		if _, err := read(tt.body, tt.media); fault.CodeOf(err) != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
