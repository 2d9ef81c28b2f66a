package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"forecourt/db/embedded"
)

const (
	writers    = 16
	savesEach  = 60
	manyDrafts = 100_000
)

// fillDrafts makes nearly complete drafts, each of a different person.
const fillDrafts = `
	INSERT INTO account (id, email, password_hash)
	SELECT md5('draft ' || n)::uuid, 'draft-' || n || '@example.com', 'x' FROM generate_series(1, %[1]d) n;
	INSERT INTO form (account_id, kind, data, reached)
	SELECT md5('draft ' || n)::uuid, 'application', jsonb_build_object(
		'signedIn', true, 'contacts', jsonb_build_array(jsonb_build_object('first', 'Ann', 'last', 'Past', 'email', 'draft-' || n || '@example.com')),
		'country', 'AU', 'name', 'Corner Cafe ' || n, 'entityName', 'Corner Cafe Holdings ' || n, 'entityType', 'Pty Ltd',
		'natureOfBusiness', 'Coffee, cake and lunch for people who work nearby', 'url', 'www.example.com', 'services', '[]'::jsonb,
		'paytypes', jsonb_build_array('In person payments'),
		'stakeHolders', jsonb_build_array(jsonb_build_object('name', 'Ann Past', 'type', 'Individual', 'director', true))), 4
	FROM generate_series(1, %[1]d) n`

// drafts measures how long saving a form's step takes and how large the table of drafts is, with few drafts and with many.
func (b *bench) drafts(ctx context.Context) (err error) {
	server, err := embedded.Start(ctx, embedded.Options{Dir: filepath.Join(b.folder, "drafts"), TCP: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	m := &market{server: server} // with the built-in gateway, which is never called
	few, err := b.openDrafts(ctx, m, manyDrafts/10)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, few.stop()) }()
	many, err := b.openDrafts(ctx, m, manyDrafts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, many.stop()) }()
	before := many.size
	var shares, p99 []float64
	for range rounds + 1 { // the first round warms up
		small, err := few.save(ctx)
		if err != nil {
			return err
		}
		large, err := many.save(ctx)
		if err != nil {
			return err
		}
		p99, shares = append(p99, large), append(shares, large/small)
	}
	after, err := many.measure(ctx)
	if err != nil {
		return err
	}
	b.section("Saving a step of a form, 16 people at once, with 10,000 and with 100,000 drafts")
	b.known("slowest of a hundred (p99), 100,000 drafts", median(p99[1:]), milliseconds)
	b.atMost("p99 with 100,000 drafts, against 10,000", median(shares[1:]), 1.2, times)
	b.known("a draft with its indexes, of 100,000", before/manyDrafts, octets)
	b.atMost("size of a draft, 100,000 against 10,000", before/manyDrafts/(few.size/(manyDrafts/10)), 1.1, times)
	saves := float64((rounds + 1) * writers * savesEach)
	b.atMost(fmt.Sprintf("size of the table after %.0f saves, against before", saves), after/before, 1.05, times)
	return nil
}

// office is the program on a database with drafts, and the people who fill them in.
type office struct {
	*shop
	client  http.Transport
	cookies []string // one for each signed-in person
	size    float64  // of the drafts at first, in bytes
}

func (b *bench) openDrafts(ctx context.Context, m *market, count int) (*office, error) {
	shop, err := b.openShop(ctx, m, fmt.Sprintf("drafts_%d", count), func(ctx context.Context, conn *pgx.Conn) error {
		for _, sql := range []string{fmt.Sprintf(fillDrafts, count), "VACUUM (ANALYZE)", "CHECKPOINT"} {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return fmt.Errorf("making drafts: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	o := &office{shop: shop, client: http.Transport{MaxIdleConnsPerHost: writers}}
	if o.size, err = o.measure(ctx); err != nil {
		return nil, errors.Join(err, shop.stop())
	}
	for i := range writers {
		form := url.Values{"email": {fmt.Sprintf("writer-%d@example.com", i)}, "password": {"Bench-pass-1"}, "confirm": {"Bench-pass-1"}}
		cookies, err := o.post(ctx, "/signup", "", form)
		if err != nil {
			return nil, errors.Join(err, shop.stop())
		}
		var all []string
		for _, cookie := range cookies {
			all = append(all, cookie.Name+"="+cookie.Value)
		}
		o.cookies = append(o.cookies, strings.Join(all, "; "))
	}
	return o, nil
}

// measure returns the size of the drafts on disk, in bytes.
func (o *office) measure(ctx context.Context) (size float64, err error) {
	err = onceConnected(ctx, o.dsn, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "SELECT pg_total_relation_size('form')::float8").Scan(&size)
	})
	return size, err
}

// save makes everybody save a step again and again, and returns the p99 in milliseconds.
func (o *office) save(ctx context.Context) (float64, error) {
	taken := make([][]time.Duration, len(o.cookies))
	group, ctx := errgroup.WithContext(ctx)
	for i, cookie := range o.cookies {
		group.Go(func() error {
			for n := range savesEach {
				start := time.Now()
				form := url.Values{"first": {fmt.Sprintf("Ann %d", n)}, "last": {"Writer"}, "email": {"ann@example.com"}}
				if _, err := o.post(ctx, "/form/application/0", cookie, form); err != nil {
					return err
				}
				taken[i] = append(taken[i], time.Since(start))
			}
			return nil
		})
	}
	err := group.Wait()
	if err != nil {
		return 0, err
	}
	return percentile99(slices.Concat(taken...)), nil
}

// post sends a form, expects a redirect and returns the cookies that the answer sets.
func (o *office) post(ctx context.Context, path, cookie string, form url.Values) ([]*http.Cookie, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if cookie != "" {
		req.Header.Set("Cookie", cookie)
	}
	res, err := o.client.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusSeeOther {
		return nil, fmt.Errorf("POST %s answers %s", path, res.Status)
	}
	return res.Cookies(), nil
}
