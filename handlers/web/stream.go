package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"forecourt/internal/tracing"
)

// writeTimeout is how long a reader may take to take one message before it counts as gone.
const writeTimeout = 10 * time.Second

// Stream is an answer of server-sent events. A write that fails means that the reader is gone.
type Stream struct {
	write func(text []byte) error
}

// OpenStream begins an answer of server-sent events, which lasts as long as its handler. Nobody keeps a copy, and no proxy
// may hold it back.
func OpenStream(w http.ResponseWriter) (*Stream, error) {
	control := http.NewResponseController(w)
	// The server's limit on reading a request would end the stream.
	if err := control.SetReadDeadline(time.Time{}); err != nil {
		return nil, err
	}
	streamHeader(w.Header())
	s := &Stream{write: func(text []byte) error {
		if err := control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		if err := control.Flush(); err != nil {
			return err
		}
		// Between messages there is nothing to be late with.
		return control.SetWriteDeadline(time.Time{})
	}}
	return s, s.write(pause())
}

// Stream answers with server-sent events that go on without the handler: it returns at once, so that what a request and its handlers
// take up, most of the memory of an open page, is given back. run ends when its context does, as the reader leaves, and may not use the
// request. Whatever happens, ended is called when it is over. On HTTP/2 that needs Outlasted in front; without it Stream returns
// when it is over.
func (s *Responder) Stream(w http.ResponseWriter, r *http.Request, run func(ctx context.Context, stream *Stream), ended func()) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if errors.Is(err, http.ErrNotSupported) { // HTTP/2
		if stays, ok := r.Context().Value(stayingKey{}).(*staying); ok {
			*stays = staying{RequestID(r), run, ended}
			return
		}
		defer ended()
		if stream, err := OpenStream(w); err == nil {
			run(r.Context(), stream)
		}
		return
	}
	if err != nil {
		ended()
		return // the reader is gone already
	}
	streamHeader(w.Header())
	stream := &Stream{write: func(text []byte) error {
		if err := conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return err
		}
		_, err := conn.Write(text)
		return err
	}}
	// All that can be done here is done here: a stream keeps its own stack, and one of 2 kB is enough for what is left.
	if stream.write(append(head(w.Header()), pause()...)) != nil {
		_ = conn.Close()
		ended()
		return
	}
	id := RequestID(r)
	ctx, cancel := context.WithCancel(tracing.WithRequest(context.Background(), id)) // it outlives the request, whose context ends with it
	go leave(conn, cancel)
	go s.detached(id, func() { run(ctx, stream) }, func() {
		cancel()
		_ = conn.Close()
		ended()
	})
}

// detached runs a stream on a connection of its own. A panic ends that stream, as it would end a request.
func (s *Responder) detached(id string, run, ended func()) {
	defer ended()
	defer s.recoverStream(id)
	run()
}

// leave waits until a reader closes its connection. One that sends anything more has not understood what a stream is.
func leave(conn net.Conn, gone func()) {
	defer gone()
	_, _ = conn.Read(make([]byte, 1))
}

// head is the beginning of an answer that ends with its connection.
func head(header http.Header) []byte {
	header.Set("Connection", "close")
	header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	head := bytes.NewBufferString("HTTP/1.1 200 OK\r\n")
	_ = header.Write(head) // to memory
	head.WriteString("\r\n")
	return head.Bytes()
}

func streamHeader(header http.Header) {
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-store, no-transform")
	header.Set("X-Accel-Buffering", "no")
}

// pause tells browsers when to come back, so that those who lose a server that restarts don't all do so at once.
func pause() []byte {
	milliseconds := 1000 + rand.IntN(2000) //nolint:gosec // spreads load, guards nothing
	return fmt.Appendf(nil, "retry: %d\n\n", milliseconds)
}

// Send sends an unnamed message.
func (s *Stream) Send(data []byte) error { return s.write(message(data)) }

// SendAs is Send with an id that a browser gives back as Last-Event-ID when it comes again. It is a word.
func (s *Stream) SendAs(id string, data []byte) error {
	return s.write(append([]byte("id: "+id+"\n"), message(data)...))
}

// Beat sends an empty comment, so that proxies see that the stream is alive.
func (s *Stream) Beat() error { return s.write([]byte(":\n\n")) }

// message words data, every kind of line break in which becomes a new line, so that it cannot pass for anything else.
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
