package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// street is the demo's businesses with their guests, kitchens and desks. It remembers how long requests took, and what went wrong.
type street struct {
	url       string
	transport *http.Transport
	back      map[string]chan string // by business: paid orders that its desk gives back
	following atomic.Int64
	door      sync.Mutex // one person signs in at a time

	mu     sync.Mutex
	items  map[string][]int64 // by business: what can be ordered now
	taken  map[string][]time.Duration
	failed []string
}

func newStreet(ctx context.Context, url string) (*street, error) {
	s := &street{
		url: url, transport: &http.Transport{MaxIdleConnsPerHost: 64}, back: map[string]chan string{},
		items: map[string][]int64{}, taken: map[string][]time.Duration{},
	}
	for _, code := range []string{shop, "moollar", "sabona", "tahbella"} {
		s.back[code] = make(chan string, 1000)
		if err := s.readMenu(ctx, code); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// readMenu reads what can be ordered now. It changes while the street trades: some items are only sold at some hours.
func (s *street) readMenu(ctx context.Context, code string) error {
	text, err := s.person("").get(ctx, "menu by the API", "/api/pos/"+code)
	if err != nil {
		return err
	}
	var menu struct {
		Items []struct {
			ID           int64
			SoldOut      bool
			OptionGroups []json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &menu); err != nil {
		return err
	}
	var items []int64
	for _, item := range menu.Items {
		if !item.SoldOut && len(item.OptionGroups) == 0 {
			items = append(items, item.ID)
		}
	}
	if len(items) < 2 {
		return errors.New("the menu of " + code + " has nothing to order")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[code] = items
	return nil
}

// note remembers an error, unless the street has closed.
func (s *street) note(open context.Context, err error) {
	if err == nil || open.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = append(s.failed, err.Error())
}

// failures returns an error that quotes the first of all that went wrong.
func (s *street) failures() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.failed) == 0 {
		return nil
	}
	return fmt.Errorf("%d errors, among them:\n  %s", len(s.failed), strings.Join(s.failed[:min(10, len(s.failed))], "\n  "))
}

// next returns how long the requests of each kind took since the last call.
func (s *street) next() map[string][]time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.taken
	s.taken = map[string][]time.Duration{}
	return taken
}

// person is somebody with a browser.
type person struct {
	*street
	client http.Client
	from   string // the address
}

func (s *street) person(from string) *person {
	return &person{s, http.Client{
		Transport: s.transport, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, from}
}

func (p *person) get(ctx context.Context, kind, path string) ([]byte, error) {
	return p.send(ctx, kind, http.MethodGet, path, nil, http.Header{"Accept": {"text/html"}}, http.StatusOK)
}

// postJSON sends JSON and reads the JSON answer.
func (p *person) postJSON(ctx context.Context, kind, path string, value, into any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	header := http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {rand.Text()}}
	answer, err := p.send(ctx, kind, http.MethodPost, path, body, header, http.StatusOK, http.StatusCreated, http.StatusAccepted)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

// send sends a request, and remembers how long it took until its answer was read.
func (p *person) send(ctx context.Context, kind, method, path string, body []byte, header http.Header, want ...int) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header = header
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if p.from != "" {
		req.Header.Set("X-Forwarded-For", p.from)
	}
	start := time.Now()
	res, err := p.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.taken[kind] = append(p.taken[kind], time.Since(start))
	p.mu.Unlock()
	if !slices.Contains(want, res.StatusCode) {
		return nil, unexpected(res, answer)
	}
	return answer, nil
}

// follow reads a stream of events until it ends.
func (p *person) follow(ctx context.Context, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	if p.from != "" {
		req.Header.Set("X-Forwarded-For", p.from)
	}
	patient := p.client
	patient.Timeout = 5 * time.Minute
	res, err := patient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return unexpected(res, nil)
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err
}
