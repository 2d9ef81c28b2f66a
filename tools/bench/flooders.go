package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// flood is an attempt to deny service to others. run returns when its context ends; it is no error if the program refuses it or cuts it
// off.
type flood struct {
	name string
	run  func(context.Context) error
}

// floodsOn returns the floods of the program at host. order names an order whose page can be followed.
func floodsOn(host, order string) []flood {
	var visitor atomic.Uint32
	from := func() string { // another address each time
		n := visitor.Add(1)
		return fmt.Sprintf("X-Forwarded-For: 10.%d.%d.%d\r\n", n>>16&255, n>>8&255, n&255)
	}
	events := func(header string) string {
		return "GET " + pagePath(order) + "/events HTTP/1.1\r\nHost: " + host + "\r\n" + header + "\r\n"
	}
	post := func(path, media, header, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n%s", path, host, media, header, len(body), body)
	}
	const form, json = "application/x-www-form-urlencoded", "application/json"
	hostile := []func() string{
		func() string { return post("/api/pay", json, from(), strings.Repeat("[", 15<<10)) },
		func() string { return post("/api/pay", json, from(), strings.Repeat("x", 17<<10)) },
		func() string {
			return post("/api/pos", json, from(), `{"merchantId":"panezski","order":[{"id":-1,"qty":1e99}]}`)
		},
		func() string { return post(pagePath(order), form, from(), strings.Repeat("card=4&", 2000)) },
		func() string { return "GET /pos/%00%ff/..%2f HTTP/1.1\r\nHost: " + host + "\r\n" + from() + "\r\n" },
		func() string {
			return "GET " + pagePath(strings.Repeat("A", 2000)) + " HTTP/1.1\r\nHost: " + host + "\r\n" + from() + "\r\n"
		},
	}
	return []flood{
		{"200 sign-ins a second, each another account and address", func(ctx context.Context) error {
			return fire(ctx, host, 64, 200, func(i int) string {
				return post("/signin", form, from(), fmt.Sprintf("email=nobody%d-%d@example.com&password=Wrong-pass-%d", i, time.Now().UnixNano(), i))
			})
		}},
		{"300 event streams of one address, which may have 40", func(ctx context.Context) error {
			return fire(ctx, host, 300, 300, func(int) string { return events("X-Forwarded-For: 10.9.9.9\r\n") })
		}},
		{"3,000 event streams of as many addresses", func(ctx context.Context) error {
			return occupyMany(ctx, host, 3000, func() []byte { return []byte(events(from())) }, 0)
		}},
		{"1,000 clients whose headers drip", func(ctx context.Context) error {
			return occupyMany(ctx, host, 1000, func() []byte { return []byte("GET / HTTP/1.1\r\nHost: " + host + "\r\nX-Slow: ") }, 'x')
		}},
		{"1,000 clients whose bodies drip", func(ctx context.Context) error {
			return occupyMany(ctx, host, 1000, func() []byte {
				return []byte("POST /api/pay HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: " + json + "\r\nContent-Length: 9999\r\n\r\n{")
			}, ' ')
		}},
		{"300 hostile requests a second", func(ctx context.Context) error {
			return fire(ctx, host, 32, 300, func(i int) string { return hostile[i%len(hostile)]() })
		}},
	}
}

// fire sends requests at a rate per second over a number of connections, no matter what the answers are. It keeps each stream that opens.
func fire(ctx context.Context, host string, conns, rate int, request func(i int) string) error {
	group, ctx := errgroup.WithContext(ctx)
	pace := time.Second * time.Duration(conns) / time.Duration(rate)
	for first := range conns {
		group.Go(func() error {
			_ = wait(ctx, pace*time.Duration(first)/time.Duration(conns)) // the end of the flood cuts it short
			for i := first; ctx.Err() == nil; i += conns {
				exchange(ctx, host, request(i))
				_ = wait(ctx, pace)
			}
			return nil
		})
	}
	return group.Wait()
}

// exchange sends one request on its own connection and reads the answer until it or the flood ends.
func exchange(ctx context.Context, host, request string) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	_, _ = io.WriteString(conn, request) // the server may have closed it
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
}

// occupyMany opens conns connections and sends a beginning on each, then drip, if any, once a second. It never reads, and replaces each
// connection that is cut off.
func occupyMany(ctx context.Context, host string, conns int, begin func() []byte, drip byte) error {
	group, ctx := errgroup.WithContext(ctx)
	for range conns {
		group.Go(func() error {
			for ctx.Err() == nil {
				occupy(ctx, host, begin(), drip)
				_ = wait(ctx, time.Second)
			}
			return nil
		})
	}
	return group.Wait()
}

func occupy(ctx context.Context, host string, beginning []byte, drip byte) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return
	}
	defer conn.Close()
	if _, err := conn.Write(beginning); err != nil {
		return
	}
	for wait(ctx, time.Second) == nil {
		if drip == 0 {
			continue
		}
		if _, err := conn.Write([]byte{drip}); err != nil {
			return
		}
	}
}
