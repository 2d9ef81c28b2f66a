package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/tools/drive"
)

// shop is the demo business on which everything is measured.
const shop = "panezski"

// bare starts a process that answers every path with the page that is now at an address, and holds a stream open for those that end in
// /events. If order is set, it reads that from the database first.
func (b *bench) bare(ctx context.Context, page, order, dsn string) (*drive.Process, error) {
	return drive.Start(ctx, b.log("bare"), nil, "/proc/self/exe", "bare", page, order, dsn)
}

// serveBare runs in that process. It does the least work for an answer that net/http and pgx allow.
func serveBare(ctx context.Context, address, order, dsn string, out io.Writer) error {
	header, body, err := record(ctx, address)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	fmt.Fprintf(out, "listening on http://%s\n", listener.Addr())
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/events"):
			hold(w, r)
		case order != "" && read(r.Context(), db.New(pool), order) != nil:
			http.Error(w, "the database does not answer", http.StatusInternalServerError)
		default:
			for name, values := range header {
				w.Header()[name] = values
			}
			_, _ = w.Write(body) // the reader may be gone
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

// record requests an address like a browser that accepts gzip, and returns the answer as it was sent over the wire.
func record(ctx context.Context, address string) (header http.Header, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil) //nolint:gosec // the bench's own site
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Accept-Encoding", "gzip") // set by hand, so that the client does not decompress
	res, err := http.DefaultClient.Do(req)    //nolint:gosec // the same
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("%s answers %s", address, res.Status)
	}
	body, err = io.ReadAll(res.Body)
	res.Header.Del("Date") // net/http sets its own
	res.Header.Set("Content-Length", fmt.Sprint(len(body)))
	return res.Header, body, err
}
