package web

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// writeTimeout is how long a reader may take to take one message before it counts as gone.
const writeTimeout = 10 * time.Second

// Stream is an answer of server-sent events. A write that fails means that the reader is gone.
type Stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// OpenStream begins an answer of server-sent events, which lasts as long as its handler. Nobody keeps a copy, and no proxy
// may hold it back.
func OpenStream(w http.ResponseWriter) (*Stream, error) {
	s := &Stream{w: w, control: http.NewResponseController(w)}
	// The server's limit on reading a request would end the stream.
	if err := s.control.SetReadDeadline(time.Time{}); err != nil {
		return nil, err
	}
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-store, no-transform")
	header.Set("X-Accel-Buffering", "no")
	// Browsers that lose a server that restarts don't all come back at once.
	pause := 1000 + rand.IntN(2000) //nolint:gosec // spreads load, guards nothing
	return s, s.write(fmt.Appendf(nil, "retry: %d\n\n", pause))
}

// Send sends an unnamed message. Every kind of line break in data becomes a new line of it, so that data cannot pass for
// anything else.
func (s *Stream) Send(data []byte) error {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	message := make([]byte, 0, len(data)+len(data)/16+16)
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		message = append(message, "data: "...)
		message = append(message, line...)
		message = append(message, '\n')
	}
	return s.write(append(message, '\n'))
}

// Beat sends nothing, so that whoever stands between knows the stream to be alive.
func (s *Stream) Beat() error { return s.write([]byte(":\n\n")) }

func (s *Stream) write(text []byte) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	if err := s.control.Flush(); err != nil {
		return err
	}
	// Between messages there is nothing to be late with.
	return s.control.SetWriteDeadline(time.Time{})
}
