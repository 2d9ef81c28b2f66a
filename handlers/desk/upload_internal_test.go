package desk

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
)

// TestFilesReadAtOnceAreLimited checks that each form with files counts those that are already being read: a form that is sent slowly takes up
// memory for minutes.
func TestFilesReadAtOnceAreLimited(t *testing.T) {
	t.Parallel()
	h := &Handler{Config: Config{Uploads: web.NewUploads(nil)}}
	request := func() *http.Request { return httptest.NewRequest(http.MethodPost, "/", strings.NewReader("--b")) }
	var leave func()
	for n := range 4 {
		var err error
		if leave, err = h.Uploads.Admit(request()); err != nil {
			t.Fatalf("form %d of a network: %v", n+1, err)
		}
	}
	for name, take := range map[string]func(http.ResponseWriter, *http.Request) error{
		"a shop": h.Create, "a menu": h.TakeFile, "pay links": h.MakeManyLinks,
		"a logo": func(w http.ResponseWriter, r *http.Request) error { _, err := h.receive(w, r, "logo", ""); return err },
	} {
		check.ErrorIs(t, take(httptest.NewRecorder(), request()), web.ErrUploads, "%s", name)
	}
	leave()
	_, err := h.Uploads.Admit(request())
	check.NoError(t, err, "after one has left")
}
