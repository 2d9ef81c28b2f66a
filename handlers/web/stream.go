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

// writeTimeout is how long a reader may take to receive one message before it counts as gone.
const writeTimeout = 10 * time.Second

// Stream is an answer of server-sent events. A failed write means that the reader is gone.
type Stream struct {
	write func(text []byte) error
}

// OpenStream begins an answer of server-sent events, which lasts as long as its handler. It must not be cached, and no proxy may buffer it.
func OpenStream(w http.ResponseWriter, r *http.Request) (*Stream, error) {
	if leave, ok := r.Context().Value(slotKey{}).(func()); ok {
		leave()
	}
	return openStream(w)
}

func openStream(w http.ResponseWriter) (*Stream, error) {
	control := http.NewResponseController(w)
	// The server's read timeout would end the stream.
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
		// Between messages there is no deadline.
		return control.SetWriteDeadline(time.Time{})
	}}
	return s, s.write(pause())
}

// Stream answers with server-sent events that go on without the handler. It returns at once, which frees the memory of the request and its
// handlers, most of the memory of an open page. run has to return when its context ends, which it does when the reader leaves, and must not
// use the request. Whatever happens, ended is called at the end. On HTTP/2 this needs Outlasted in front; without it, Stream returns only
// at the end of the stream.
func (s *Responder) Stream(w http.ResponseWriter, r *http.Request, run func(ctx context.Context, stream *Stream), ended func()) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if errors.Is(err, http.ErrNotSupported) { // HTTP/2
		if stays, ok := r.Context().Value(stayingKey{}).(*staying); ok {
			*stays = staying{RequestID(r), run, ended}
			return
		}
		defer ended()
		if stream, err := OpenStream(w, r); err == nil {
			run(r.Context(), stream)
		}
		return
	}
	if err != nil {
		ended()
		return // the reader has gone already
	}
	streamHeader(w.Header())
	stream := &Stream{write: func(text []byte) error {
		if err := conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return err
		}
		_, err := conn.Write(text)
		return err
	}}
	// Write the head here: the stream's goroutine keeps its stack, and 2 kB is enough for the rest.
	if stream.write(append(head(w.Header()), pause()...)) != nil {
		_ = conn.Close()
		ended()
		return
	}
	ctx, cancel := context.WithCancel(tracing.WithRequest(context.Background(), RequestID(r))) // it outlives the request, whose context ends with it
	go leave(conn, cancel)
	go s.detached(ctx, func() { run(ctx, stream) }, func() {
		cancel()
		_ = conn.Close()
		ended()
	})
}

// detached runs a stream on a connection of its own. A panic ends that stream, as it would end a request.
func (s *Responder) detached(ctx context.Context, run, ended func()) {
	defer ended()
	defer s.recoverStream(ctx)
	run()
}

// leave waits until a reader closes its connection. It also counts as gone if it sends anything more.
func leave(conn net.Conn, gone func()) {
	defer gone()
	_, _ = conn.Read(make([]byte, 1))
}

// head returns the beginning of an answer that ends with its connection.
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

// Beat sends an empty comment, so that proxies see that the stream is alive.
func (s *Stream) Beat() error { return s.write([]byte(":\n\n")) }

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
