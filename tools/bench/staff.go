package main

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"time"

	"golang.org/x/sync/errgroup"

	"forecourt/internal/demo"
)

const (
	screenEvery = 2 * time.Second  // how often a kitchen looks at its screen
	cooking     = 15 * time.Second // how long an order is on the screen before it is done
	cooks       = 4                // in each kitchen, tapping at the same time
	deskEvery   = 3 * time.Second
	proofEvery  = 8 * time.Minute // a refund needs a proof that is younger than ten minutes
)

// person is a member of the demo's team in a browser.
type person struct {
	*street
	client http.Client
	proved time.Time
}

// work starts a kitchen, with its screen, and a desk for each business. They run until ctx ends.
func (s *street) work(ctx context.Context, group *errgroup.Group) {
	for _, shop := range s.shops {
		for _, job := range []func(*person, context.Context, *tradeShop) error{(*person).cook, (*person).keepDesk} {
			group.Go(func() error {
				p := &person{street: s, client: http.Client{Transport: s.client.Transport, CheckRedirect: s.client.CheckRedirect}}
				for ctx.Err() == nil {
					if err := job(p, ctx, shop); err != nil && ctx.Err() == nil {
						s.tape.fail(err)
						_ = wait(ctx, time.Second)
					}
				}
				return nil
			})
		}
	}
}

// signIn signs in unless the last sign-in is recent enough for a refund.
func (p *person) signIn(ctx context.Context) (err error) {
	if time.Since(p.proved) < proofEvery {
		return nil
	}
	p.door.Lock()
	defer p.door.Unlock()
	if p.client.Jar, err = cookiejar.New(nil); err != nil {
		return err
	}
	_, err = p.post(ctx, "sign-in", "/signin", url.Values{"email": {demo.Email}, "password": {demo.Password}}, http.StatusSeeOther)
	if err == nil {
		p.proved = time.Now()
	}
	return err
}

func (p *person) get(ctx context.Context, kind, path string) ([]byte, error) {
	return p.send(ctx, &p.client, kind, http.MethodGet, path, nil, http.Header{"Accept": {"text/html"}}, http.StatusOK)
}

func (p *person) post(ctx context.Context, kind, path string, form url.Values, want int) ([]byte, error) {
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "Prefer": {"return=minimal"}}
	return p.send(ctx, &p.client, kind, http.MethodPost, path, []byte(form.Encode()), header, want)
}

var (
	doneButton   = regexp.MustCompile(`name="done" value="([^"]+)"`)
	screenEvents = regexp.MustCompile(`data-events="([^"]+)"`)
)

// cook marks each order done a while after it appears on the screen. It also keeps the screen's event stream open.
func (p *person) cook(ctx context.Context, shop *tradeShop) error {
	since := map[string]time.Time{}
	path := "/pos/" + shop.code + "/kitchen"
	screen := &person{street: p.street, client: p.client}
	watching := false
	for ; ctx.Err() == nil; _ = wait(ctx, screenEvery) {
		if err := p.signIn(ctx); err != nil {
			return err
		}
		page, err := p.get(ctx, "kitchen page", path)
		if err != nil {
			return err
		}
		if found := screenEvents.FindSubmatch(page); found != nil && !watching {
			watching = true
			screen.client.Jar = p.client.Jar
			following, leave := context.WithCancel(ctx)
			defer leave()
			go screen.watch(following, html.UnescapeString(string(found[1])))
		}
		on := map[string]time.Time{}
		taps, tapping := errgroup.WithContext(ctx)
		taps.SetLimit(cooks)
		for _, button := range doneButton.FindAllSubmatch(page, -1) {
			order := html.UnescapeString(string(button[1]))
			seen, ok := since[order]
			if !ok {
				seen = time.Now()
			}
			if time.Since(seen) < cooking {
				on[order] = seen
				continue
			}
			taps.Go(func() error {
				_, err := p.post(tapping, "tap in the kitchen", path, url.Values{"done": {order}}, http.StatusNoContent)
				return err
			})
		}
		if err := taps.Wait(); err != nil {
			return err
		}
		since = on
	}
	return nil
}

// watch reads the events of a kitchen's screen until ctx ends.
func (p *person) watch(ctx context.Context, path string) {
	for ; ctx.Err() == nil; _ = wait(ctx, time.Second) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path, nil)
		if err != nil {
			p.tape.fail(err)
			return
		}
		req.Header.Set("Accept", "text/event-stream")
		res, err := p.client.Do(req)
		if err != nil {
			continue
		}
		if res.StatusCode != http.StatusOK && ctx.Err() == nil {
			p.tape.fail(unexpected(res, path, nil))
		}
		_, _ = io.Copy(io.Discard, res.Body) // until the sign-in is over
		_ = res.Body.Close()
	}
}

var deskPages = []struct{ name, path string }{{"today", ""}, {"payments", "/payments"}, {"payouts", "/payouts"}}

var refundField = regexp.MustCompile(`name="(key|seen|minor)" value="([^"]*)"`)

// keepDesk reads the pages of a desk and makes the refunds that guests ask for.
func (p *person) keepDesk(ctx context.Context, shop *tradeShop) error {
	desk := "/desk/" + shop.code
	for n := 0; ctx.Err() == nil; n++ {
		if err := p.signIn(ctx); err != nil {
			return err
		}
		seen := deskPages[n%len(deskPages)]
		if _, err := p.get(ctx, "desk page: "+seen.name, desk+seen.path); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(deskEvery):
		case id := <-shop.back:
			if err := p.refund(ctx, desk+"/payments/"+id+"/refund"); err != nil {
				return err
			}
		}
	}
	return nil
}

// refund refunds a whole payment in the two steps of the page: the preview, then the form that it shows.
func (p *person) refund(ctx context.Context, path string) error {
	form := url.Values{"do": {"preview"}, "how": {"whole"}, "reason": {"cold"}}
	preview, err := p.post(ctx, "desk page: refund", path, form, http.StatusOK)
	if err != nil {
		return err
	}
	form.Set("do", "refund")
	for _, field := range refundField.FindAllSubmatch(preview, -1) {
		form.Set(string(field[1]), string(field[2]))
	}
	if form.Get("key") == "" {
		return fmt.Errorf("%s shows no refund to make", path)
	}
	p.tape.count("refund")
	_, err = p.post(ctx, "refund", path, form, http.StatusSeeOther)
	return err
}
