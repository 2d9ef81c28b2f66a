package gateway_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/gateway"
)

func TestUnreadableAnswersAreUnknownAndLeakNothing(t *testing.T) {
	t.Parallel()
	const approval = `{"status":{"responsetype":"1","statuscode":"0"}}`
	for _, tt := range []struct {
		name   string
		answer func(net.Conn)
	}{
		{"closed without an answer", func(net.Conn) {}},
		{"reset", func(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }},
		{"half an answer", func(c net.Conn) { fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n%s", approval) }},
		{"an echo of the card number", func(c net.Conn) { fmt.Fprintf(c, "%s %s\r\n\r\n", canary, canaryCVC) }},
		{"an echo in a header", func(c net.Conn) { fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%s\r\n\r\n", canary) }},
		{"an echo in the body", func(c net.Conn) { fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n\r\n{\"status\":%s}", canary) }},
		{"an echo in a field", func(c net.Conn) {
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n\r\n{\"status\":{\"statuscode\":{\"pan\":%s}}}", canary)
		}},
		{"a redirect", func(c net.Conn) {
			fmt.Fprintf(c, "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://%s/%s\r\nContent-Length: 0\r\n\r\n", c.LocalAddr(), canary)
		}},
		{"65 KiB around an approval", func(c net.Conn) {
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n\r\n%s%s", approval, strings.Repeat(" ", 65<<10))
		}},
	} {
		server := raw(t, tt.answer)
		var log bytes.Buffer
		c := gateway.New(gateway.Config{URL: server.url, Key: secret.New("k-e-y"), Logger: slog.New(slog.NewJSONHandler(&log, nil))})
		a := c.PayCard(t.Context(), payment(t, canary))
		if a.Outcome != gateway.Unknown || a.Err == nil {
			t.Errorf("%s: got %s, %v, want unknown and an error", tt.name, a.Outcome, a.Err)
		}
		check.Equal(t, server.seen.Load(), 1, "%s: sent … times", tt.name)
		for _, leak := range []string{canary, canaryCVC, "k-e-y"} {
			if text := fmt.Sprintf("%v %+v %#v %s", a.Err, a, a.Err, log.String()); holds(text, leak) {
				t.Errorf("%s: %s appears in %s", tt.name, leak, text)
			}
		}
	}
}

func TestPrintingTheClientHidesItsKey(t *testing.T) {
	t.Parallel()
	cfg := gateway.Config{URL: "http://127.0.0.1:9", Key: secret.New("k-e-y")}
	c, p := gateway.New(cfg), payment(t, canary)
	marshalled, err := json.Marshal([]any{p, cfg.Key, &cfg.Key})
	check.Must(t, err)
	held := struct{ key secret.Text }{cfg.Key} // fmt may not call its methods
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("config", "cfg", cfg, "key", cfg.Key, "held", held)
	slog.New(slog.NewTextHandler(&log, nil)).Info("config", "cfg", cfg, "key", cfg.Key, "held", held)
	for _, verb := range strings.Split("v +v #v s q x X d t T U c p e b o 20s -9v .2s 08d", " ") {
		fmt.Fprintf(&log, "%"+verb+" %"+verb+" %"+verb+"\n", cfg.Key, held, &held)
	}
	fmt.Fprintln(&log, cfg.Key.String(), errors.Join(fmt.Errorf("%s %x", cfg.Key, cfg.Key)))
	text := log.String() + fmt.Sprintf("%v %+v %#v %v %+v %#v %s %v %+v %#v", cfg, cfg, cfg, c, c, *c, marshalled, p, p, p)
	for _, leak := range []string{"k-e-y", fmt.Sprintf("%x", "k-e-y"), canary, canaryCVC} {
		if holds(text, leak) {
			t.Errorf("%s appears in %s", leak, text)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var followed atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	t.Cleanup(elsewhere.Close)
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
		c := client(t, server.URL)
		for _, a := range []gateway.Answer{
			c.PayCard(t.Context(), payment(t, canary)), c.Look(t.Context(), gateway.Want{Reference: "r"}), c.Resolve(t.Context(), gateway.Want{Reference: "r"}),
		} {
			check.Equal(t, a.Outcome, gateway.Unknown, "HTTP %d became", status)
		}
		server.Close()
	}
	check.Equal(t, followed.Load(), 0, "redirects were followed")
}

// holds looks for a whole word: times and port numbers may contain a short code by chance.
func holds(text, word string) bool {
	return regexp.MustCompile(`(^|[^0-9a-fA-F.])` + regexp.QuoteMeta(word) + `([^0-9a-fA-F]|$)`).MatchString(text)
}
