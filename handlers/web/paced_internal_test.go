package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

// due is a ResponseWriter that notes the last deadline for reading.
type due struct {
	*httptest.ResponseRecorder

	at time.Time
}

func (d *due) SetReadDeadline(at time.Time) error { d.at = at; return nil }

func TestABodyWithFilesHasToComeAtALeastRate(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for read, want := range map[int64]time.Duration{0: 10 * time.Second, 16_384: 11 * time.Second, 1_638_400: 110 * time.Second, 16 << 20: 180 * time.Second} {
		w := &due{ResponseRecorder: httptest.NewRecorder()}
		p := &paced{
			ReadCloser: io.NopCloser(strings.NewReader("x")), control: http.NewResponseController(w), begun: begun, most: uploadTime, read: read,
		}
		_, err := p.Read(make([]byte, 10))
		check.Must(t, err)
		check.Equal(t, w.at.Sub(begun), want, "after %d bytes the next are due after", read)
	}
}
