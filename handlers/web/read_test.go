package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"forecourt/handlers/web"
)

func post(t *testing.T, media, body string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", media)
	return r
}

func TestReadJSON(t *testing.T) {
	t.Parallel()
	type body struct{ Name string }
	for _, tt := range []struct {
		name, media, body string
		status            int // 0 if it is accepted
	}{
		{"an object", "application/json", `{"name":"Ann","more":{"ignored":[1]}}`, 0},
		{"with a charset", "application/json; charset=utf-8", `{"name":"Ann"}`, 0},
		{"trailing spaces", "application/json", `{"name":"Ann"}` + "\n \t", 0},
		{"no content type", "", `{"name":"Ann"}`, 415},
		{"a form", "application/x-www-form-urlencoded", "name=Ann", 415},
		{"nearly JSON", "text/json", `{"name":"Ann"}`, 415},
		{"a broken content type", "application/json; =", `{"name":"Ann"}`, 415},
		{"nothing", "application/json", "", 400},
		{"truncated", "application/json", `{"name":"A`, 400},
		{"the wrong type", "application/json", `{"name":4111111111111111}`, 422},
		{"two values", "application/json", `{"name":"Ann"}{"name":"Bob"}`, 400},
		{"text after it", "application/json", `{"name":"Ann"} 4111111111111111`, 400},
		{"a field twice", "application/json", `{"name":"Ann","more":1,"name":"Bob"}`, 400},
		{"a field twice, once in capitals", "application/json", `{"name":"Ann","NAME":"Bob"}`, 400},
		{"a field twice, once escaped", "application/json", `{"name":"Ann","\u006eame" : "Bob"}`, 400},
		{"an inner field twice", "application/json", `{"name":"Ann","more":[{"a":1,"a":2}]}`, 0},
		{"names in values", "application/json", `{"name":"Ann","more":["name","name"],"less":"\"name\": {"}`, 0},
		{"an inner field of the same name", "application/json", `{"name":"Ann","more":{"name":"Bob"}}`, 0},
		{"broken UTF-8", "application/json", "{\"name\":\"Ann\xff\"}", 400},
		{"UTF-16", "application/json", "{\x00\"\x00", 400},
		{"a byte order mark", "application/json", "\ufeff{\"name\":\"Ann\"}", 400},
		{"too deep", "application/json", `{"name":` + strings.Repeat("[", 40<<10), 400},
		{"too large", "application/json", `{"name":"` + strings.Repeat("x", 64<<10) + `"}`, 413},
		{"too large because of trailing data", "application/json", `{"name":"Ann"}` + strings.Repeat(" ", 64<<10), 413},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got body
			err := within(64<<10, post(t, tt.media, tt.body), func(r *http.Request) (err error) {
				got, err = web.ReadJSON[body](r)
				return err
			})
			switch {
			case tt.status == 0 && (err != nil || got.Name != "Ann"):
				t.Errorf("%+v, %v", got, err)
			case tt.status != 0 && (err == nil || web.Status(err) != tt.status):
				t.Errorf("%v, want %d", err, tt.status)
			case err != nil && strings.Contains(err.Error(), pan):
				t.Errorf("the error quotes the body: %v", err)
			}
		})
	}
}

// within reads a request whose body may have at most limit bytes.
func within(limit int64, r *http.Request, read func(*http.Request) error) (err error) {
	web.Limited(limit)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { err = read(r) })).ServeHTTP(httptest.NewRecorder(), r)
	return err
}

func TestParseForm(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded"
	for _, tt := range []struct {
		name, media, body string
		status            int
	}{
		{"a form", form, "card=" + pan, 0},
		{"an empty form", form, "", 0},
		{"JSON", "application/json", "{}", 415},
		{"files", "multipart/form-data; boundary=x", "--x--", 415},
		{"too large", form, "card=" + strings.Repeat("4", 2000), 413},
		{"broken escapes", form, "card=%zz" + pan, 400},
		{"semicolons", form, "a=1;b=" + pan, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := within(1000, post(t, tt.media, tt.body), web.ParseForm)
			switch {
			case tt.status == 0 && err != nil:
				t.Error(err)
			case tt.status != 0 && (err == nil || web.Status(err) != tt.status):
				t.Errorf("%v, want %d", err, tt.status)
			case err != nil && strings.Contains(err.Error(), pan):
				t.Errorf("the error quotes the form: %v", err)
			}
		})
	}
}
