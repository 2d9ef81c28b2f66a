package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// answer is one response as sent over the wire.
type answer struct {
	Header http.Header
	Body   []byte
	Hold   bool   // on a path below this one, send one event and keep the stream open
	Reads  *reads // what it reads from the database first; nil for nothing
}

// bare starts a process that only writes these answers, by path. If env has TLS_CERT and TLS_KEY, it speaks https.
func (b *bench) bare(ctx context.Context, answers map[string]answer, env ...string) (*process, error) {
	input, err := json.Marshal(answers)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, b.self, "bare")
	cmd.Stdin = strings.NewReader(string(input))
	cmd.Env = append(os.Environ(), env...)
	return b.start(cmd)
}

// serveBare runs in that process. It does the least work for an answer that net/http allows.
func serveBare(ctx context.Context, in io.Reader, out io.Writer) error {
	var answers map[string]answer
	if err := json.NewDecoder(in).Decode(&answers); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	certificate, key := os.Getenv("TLS_CERT"), os.Getenv("TLS_KEY")
	scheme := "http"
	if certificate != "" {
		scheme = "https"
	}
	fmt.Fprintf(out, "listening on %s://%s\n", scheme, listener.Addr())
	pools := asked{}
	defer pools.close()
	if err := pools.open(ctx, answers); err != nil {
		return err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found, ok := answers[strings.TrimSuffix(r.URL.Path, "/events")]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		header := w.Header()
		if found.Hold {
			hold(w, r)
			return
		}
		if found.Reads != nil {
			if err := pools.ask(r.Context(), *found.Reads); err != nil {
				http.Error(w, "the database does not answer", http.StatusInternalServerError)
				return
			}
		}
		for name, values := range found.Header {
			header[name] = values
		}
		_, _ = w.Write(found.Body) // the reader may be gone
	})}
	go func() { <-ctx.Done(); _ = server.Close() }()
	if certificate != "" {
		err = server.ServeTLS(listener, certificate, key)
	} else {
		err = server.Serve(listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// hold keeps a connection open at the least cost.
func hold(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, "data: \n\n")
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// record requests an address like a browser that accepts brotli, and keeps the answer unchanged.
func record(ctx context.Context, address string) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Accept-Encoding", "br") // set by hand, so that the client does not decompress
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return answer{}, fmt.Errorf("%s answers %s", address, res.Status)
	}
	body, err := io.ReadAll(res.Body)
	res.Header.Del("Date") // net/http sets its own
	res.Header.Set("Content-Length", fmt.Sprint(len(body)))
	return answer{Header: res.Header, Body: body}, err
}
