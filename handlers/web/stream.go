package web

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// writeTimeout is how long a reader may take to receive one message before it counts as gone.
const writeTimeout = 10 * time.Second

// Stream is an answer of server-sent events. A failed write means that the reader is gone.
type Stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// OpenStream begins an answer of server-sent events, which lasts as long as its handler. It must not be cached, and no proxy may buffer it.
func OpenStream(w http.ResponseWriter, r *http.Request) (*Stream, error) {
	if leave, ok := r.Context().Value(placeKey{}).(func()); ok {
		leave()
	}
	s := &Stream{w, http.NewResponseController(w)}
	// The server's read timeout would end the stream.
	if err := s.control.SetReadDeadline(time.Time{}); err != nil {
		return nil, err
	}
	streamHeader(w.Header())
	return s, s.write(pause())
}

// write sends a text at once. Between texts there is no deadline.
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
	return s.control.SetWriteDeadline(time.Time{})
}

func streamHeader(header http.Header) {
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-store, no-transform")
	header.Set("X-Accel-Buffering", "no")
}

// pause tells a browser when to reconnect, so that after a restart of the server not all do so at once.
func pause() []byte {
	milliseconds := 1000 + rand.IntN(2000) //nolint:gosec // spreads load, guards nothing
	return fmt.Appendf(nil, "retry: %d\n\n", milliseconds)
}

// Send sends an unnamed message.
func (s *Stream) Send(data []byte) error { return s.write(message(data)) }

// SendAs is Send with an id, a single word, that a browser sends back as Last-Event-ID when it reconnects.
func (s *Stream) SendAs(id string, data []byte) error {
	return s.write(append([]byte("id: "+id+"\n"), message(data)...))
}

// BeatEvery is how often a silent stream sends a beat. A page that misses two opens its stream again (islands/stream.ts).
const BeatEvery = 15 * time.Second

// Beat shows proxies and scripts that the stream is alive, and scripts what time it is.
func (s *Stream) Beat() error {
	return s.write(fmt.Appendf(nil, "event: beat\ndata: %d\n\n", time.Now().UnixMilli()))
}

// message returns data as an event. Every kind of line break in it becomes a new data line, so that data cannot pass for anything else.
func message(data []byte) []byte {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	message := make([]byte, 0, len(data)+len(data)/16+16)
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		message = append(message, "data: "...)
		message = append(message, line...)
		message = append(message, '\n')
	}
	return append(message, '\n')
}
