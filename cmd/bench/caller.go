package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
)

// caller posts JSON over one connection that stays open. Like asker, it leaves the processor to the server.
type caller struct {
	conn    net.Conn
	reader  *bufio.Reader
	host    string
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

// newCallers opens so many connections at once.
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

// post sends a body under an idempotency key and reads the JSON answer, which has to be a 200 or 201.
func (c *caller) post(path, key string, body, into any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	c.request.Reset()
	fmt.Fprintf(&c.request, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n",
		path, c.host, key, len(content))
	c.request.Write(content)
	if _, err := c.conn.Write(c.request.Bytes()); err != nil {
		return err
	}
	res, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusCreated {
		return fmt.Errorf("POST %s answers %s: %s", path, res.Status, answer)
	}
	return json.Unmarshal(answer, into)
}
