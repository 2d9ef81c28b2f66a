package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
)

// answer is a page as sent over the wire.
type answer struct {
	Header http.Header
	Body   []byte
	Order  string // if set, the order that is read from the database at DSN first
	DSN    string
}

// shop is the demo business on which everything is measured.
const shop = "panezski"

// bare starts a process that answers every path with the same page, and holds a stream open for those that end in /events.
func (b *bench) bare(ctx context.Context, page answer) (*process, error) {
	input, err := json.Marshal(page)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, b.self, "bare")
	cmd.Stdin = strings.NewReader(string(input))
	return b.start(cmd)
}

// serveBare runs in that process. It does the least work for an answer that net/http and pgx allow.
func serveBare(ctx context.Context, in io.Reader, out io.Writer) error {
	var page answer
	if err := json.NewDecoder(in).Decode(&page); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, page.DSN)
	if err != nil {
		return err
	}
	defer pool.Close()
	fmt.Fprintf(out, "listening on http://%s\n", listener.Addr())
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/events"):
			hold(w, r)
		case page.Order != "" && read(r.Context(), db.New(pool), page.Order) != nil:
			http.Error(w, "the database does not answer", http.StatusInternalServerError)
		default:
			for name, values := range page.Header {
				w.Header()[name] = values
			}
			_, _ = w.Write(page.Body) // the reader may be gone
		}
	})}
	go func() { <-ctx.Done(); _ = server.Close() }()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// hold sends one event and keeps the stream open at the least cost.
func hold(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, "data: \n\n")
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// read reads an order with the payment page's own statements.
func read(ctx context.Context, queries *db.Queries, order string) error {
	if _, err := queries.TransactionGet(ctx, order, shop); err != nil {
		return err
	}
	_, err := queries.OrderLineList(ctx, order, shop)
	return err
}

// record requests an address like a browser that accepts brotli, and keeps the answer unchanged.
func record(ctx context.Context, address string) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Accept-Encoding", "gzip") // set by hand, so that the client does not decompress
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
