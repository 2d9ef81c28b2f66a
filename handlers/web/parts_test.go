package web_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
)

func TestAFileInPartsIsWholeOrCutOff(t *testing.T) {
	t.Parallel()
	broken := errors.New("the second part is gone")
	for name, tt := range map[string]struct {
		size   int64
		parts  []string
		err    error
		status int
		body   string
		whole  bool
	}{
		"whole":                  {0, []string{"one", "two"}, nil, http.StatusOK, "onetwo", true},
		"whole, of a known size": {6, []string{"one", "two"}, nil, http.StatusOK, "onetwo", true},
		"nothing could be read":  {6, nil, broken, http.StatusInternalServerError, "", true},
		"half":                   {0, []string{"one"}, broken, http.StatusOK, "one", false},
		"half, of a known size":  {6, []string{"one"}, broken, http.StatusOK, "one", false},
		"an error page could complete the length": {4000, []string{"one"}, broken, http.StatusOK, "one", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler := web.NewResponder(slog.New(slog.DiscardHandler)).API(func(w http.ResponseWriter, _ *http.Request) error {
				return web.SendParts(w, "text/csv", "a.csv", tt.size, func(out io.Writer) error {
					for _, part := range tt.parts {
						if _, err := io.WriteString(out, part); err != nil {
							return err
						}
						if err := http.NewResponseController(w).Flush(); err != nil {
							return err
						}
					}
					return tt.err
				})
			})
			server := httptest.NewServer(handler)
			defer server.Close()
			res, err := server.Client().Get(server.URL)
			check.Must(t, err)
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if res.StatusCode != tt.status || (err == nil) != tt.whole || tt.body != "" && string(body) != tt.body {
				t.Errorf("%d %q, %v", res.StatusCode, body, err)
			}
			disposition := res.Header.Get("Content-Disposition")
			check.Equal(t, disposition != "", tt.status == http.StatusOK, "Content-Disposition %q", disposition)
		})
	}
}
