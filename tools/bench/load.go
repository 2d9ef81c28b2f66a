package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// connections is the number of customers who send requests at once.
const connections = 16

// asker requests one page again and again over one connection. It speaks just enough HTTP for that, because a full client would take more processor
// time than the server.
type asker struct {
	conn    net.Conn
	reader  *bufio.Reader
	request []byte
}

func newAsker(ctx context.Context, address, path string) (*asker, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	request := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n", path, u.Host)
	return &asker{conn: conn, reader: bufio.NewReaderSize(conn, 32<<10), request: []byte(request)}, nil
}

// ask requests the page once and discards it.
func (a *asker) ask() error {
	if _, err := a.conn.Write(a.request); err != nil {
		return err
	}
	status, length, err := readHead(a.reader)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("the page answers %d", status)
	}
	_, err = a.reader.Discard(length)
	return err
}

// readHead reads an answer up to its body and returns its status and the body's length in bytes.
func readHead(reader *bufio.Reader) (status, length int, err error) {
	length = -1
	for first := true; ; first = false {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case first:
			code, _, _ := strings.Cut(strings.TrimPrefix(text, "HTTP/1.1 "), " ")
			if status, err = strconv.Atoi(code); err != nil {
				return 0, 0, fmt.Errorf("the answer begins with %q", text)
			}
		case text == "" && length < 0:
			return 0, 0, errors.New("the answer has no Content-Length")
		case text == "":
			return status, length, nil
		}
		if value, ok := strings.CutPrefix(text, "Content-Length: "); ok {
			if length, err = strconv.Atoi(value); err != nil {
				return 0, 0, err
			}
		}
	}
}

// hammer requests a page over all connections at once for a given time and returns how long each answer took.
func hammer(ctx context.Context, address, path string, duration time.Duration) ([]time.Duration, error) {
	taken := make([][]time.Duration, connections)
	end := time.Now().Add(duration)
	group, ctx := errgroup.WithContext(ctx)
	for i := range connections {
		group.Go(func() error {
			a, err := newAsker(ctx, address, path)
			if err != nil {
				return err
			}
			defer a.conn.Close()
			for start := time.Now(); start.Before(end) && ctx.Err() == nil; {
				if err := a.ask(); err != nil {
					return err
				}
				now := time.Now()
				taken[i] = append(taken[i], now.Sub(start))
				start = now
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(taken...), nil
}
