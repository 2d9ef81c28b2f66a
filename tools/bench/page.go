package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// page is an open order page that follows its order, or several over one HTTP/2 connection.
type page struct {
	conn   net.Conn
	reader *bufio.Reader
}

func pagePath(order string) string { return "/pos/panezski/" + order }

// open opens count pages and waits until each shows its order. Over HTTP/2, shared of them are in one connection.
func open(ctx context.Context, address string, order func(int) string, count, shared int) ([]*page, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	pages := make([]*page, count/shared)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(connections)
	for i := range pages {
		group.Go(func() error {
			path := pagePath(order(i)) + "/events"
			var err error
			if u.Scheme == "https" {
				pages[i], err = followEncrypted(ctx, u.Host, path, shared)
			} else {
				pages[i], err = follow(ctx, u.Host, path, "")
			}
			return err
		})
	}
	return pages, group.Wait()
}

// browserHeader holds the header fields that a browser sends to ask for a stream.
var browserHeader = [][2]string{
	{"user-agent", "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"},
	{"accept", "text/event-stream"}, {"accept-encoding", "gzip, deflate, br, zstd"}, {"accept-language", "en-AU,en;q=0.9,de;q=0.8"},
	{"cache-control", "no-cache"}, {"cookie", "forecourt-style-customer=RG4TMG4R; scripts=1"}, {"sec-fetch-dest", "empty"}, {"sec-fetch-mode", "cors"},
	{"sec-fetch-site", "same-origin"}, {"sec-ch-ua-platform", `"Android"`}, {"sec-ch-ua-mobile", "?1"},
}

// follow opens a page over HTTP/1.1 and waits until it shows its order. from, unless it is empty, is the address that, according to a trusted proxy,
// the page comes from.
func follow(ctx context.Context, host, path, from string) (*page, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	p := &page{conn: conn, reader: bufio.NewReaderSize(conn, 2<<10)}
	request := "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n"
	for _, field := range browserHeader {
		request += field[0] + ": " + field[1] + "\r\n"
	}
	if from != "" {
		request += "X-Forwarded-For: " + from + "\r\n"
	}
	if _, err := conn.Write([]byte(request + "\r\n")); err != nil {
		return p, err
	}
	return p, p.nextEvent()
}

// nextEvent waits for a page's next event.
func (p *page) nextEvent() error {
	if err := p.conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	heard := false
	for {
		line, err := p.reader.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("a page that is followed: %w", err)
		}
		switch text := string(line); {
		case strings.HasPrefix(text, "data: "):
			heard = true
		case heard && text == "\n":
			return nil
		case strings.HasPrefix(text, "HTTP/1.1 ") && !strings.HasPrefix(text, "HTTP/1.1 200 "):
			return fmt.Errorf("a page that is followed answers %q", text)
		}
	}
}

func leave(pages []*page) {
	for _, p := range pages {
		if p != nil {
			_ = p.conn.Close()
		}
	}
}
