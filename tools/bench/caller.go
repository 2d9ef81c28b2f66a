package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// caller posts JSON over one connection that stays open. Like asker, it leaves the processor to the server.
type caller struct {
	conn    net.Conn
	reader  *bufio.Reader
	host    string
	from    string // the address that it claims, like a trusted proxy, for its client; "" for none
	request bytes.Buffer
}

func newCaller(ctx context.Context, address string) (*caller, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	return &caller{conn: conn, reader: bufio.NewReader(conn), host: u.Host}, nil
}

// newCallers opens n connections at once.
func newCallers(ctx context.Context, address string, count int) ([]*caller, error) {
	callers := make([]*caller, 0, count)
	for range count {
		c, err := newCaller(ctx, address)
		if err != nil {
			return nil, errors.Join(err, hangUp(callers))
		}
		callers = append(callers, c)
	}
	return callers, nil
}

func hangUp(callers []*caller) error {
	var err error
	for _, c := range callers {
		err = errors.Join(err, c.conn.Close())
	}
	return err
}

// post sends a JSON body under an idempotency key and reads the JSON answer, which has to be a 200 or 201.
func (c *caller) post(path, key string, body []byte, into any) error {
	c.request.Reset()
	fmt.Fprintf(&c.request, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n",
		path, c.host, key, len(body))
	if c.from != "" {
		fmt.Fprintf(&c.request, "X-Forwarded-For: %s\r\n", c.from)
	}
	c.request.WriteString("\r\n")
	c.request.Write(body)
	if _, err := c.conn.Write(c.request.Bytes()); err != nil {
		return err
	}
	status, length, err := readHead(c.reader)
	if err != nil {
		return err
	}
	answer, err := c.reader.Peek(length)
	if err != nil {
		return err
	}
	if status != http.StatusOK && status != http.StatusCreated {
		return fmt.Errorf("POST %s answers %d: %s", path, status, answer)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return err
	}
	_, err = c.reader.Discard(length)
	return err
}
