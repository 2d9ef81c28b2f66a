package handlers_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"mime/multipart"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
)

// crowd sends requests from several senders at once until the test calls stop.
func crowd(t *testing.T, senders int, send func(ctx context.Context, n int)) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for n := range senders {
		all.Go(func() {
			for ctx.Err() == nil {
				send(ctx, n)
			}
		})
	}
	return func() { cancel(); all.Wait() }
}

// flood sends one sign-in and ignores the answer. known is the cookie that makes its browser known, if any.
func flood(ctx context.Context, app *apptest.App, from, known, email, password string) {
	form := url.Values{"email": {email}, "password": {password}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, app.URL+"/signin", strings.NewReader(form.Encode()))
	if err != nil {
		return
	}
	req.Header = http.Header{"Content-Type": {formType}, "X-Forwarded-For": {from}, "Cookie": {"forecourt-known=" + known}}
	if res, err := http.DefaultClient.Do(req); err == nil {
		_ = res.Body.Close()
	}
}

// An attack had 30 senders in one IPv6 /48, another a few IPv4 addresses with the right password of their own account.
func TestACrowdShutsNobodyOutOfAccounts(t *testing.T) { //nolint:paralleltest // beside others each password would take seconds
	app := apptest.New(t, behindProxy())
	owner := newcomer(t, app, home)
	owner.signIn(t, demo.Email, demo.Password).Must(t, in, "the owner")
	owner.post(t, "/signout", nil)
	newcomer(t, app, strangers).post(t, "/signup", url.Values{"email": {"eve@example.com"}, "password": {again}, "confirm": {again}})
	stop := crowd(t, 45, func(ctx context.Context, n int) {
		if n < 30 {
			flood(ctx, app, fmt.Sprintf("2001:db8:1:%x::1", rand.IntN(1<<16)), "", fmt.Sprintf("nobody%d@example.com", rand.IntN(1<<20)), wrong)
			return
		}
		flood(ctx, app, fmt.Sprintf("203.0.113.%d", n%5), "", "eve@example.com", again)
	})
	defer stop()
	for n := range 3 {
		owner.from = strangers
		owner.signIn(t, demo.Email, demo.Password).Want(t, in, "the owner's browser, in the crowd's network")
		owner.post(t, "/signout", nil)
		newcomer(t, app, elsewhere).signIn(t, demo.Email, demo.Password).Want(t, in, "a new browser")
		newcomer(t, app, elsewhere).post(t, "/signup", url.Values{
			"email": {fmt.Sprintf("ann%d@example.com", n)}, "password": {again}, "confirm": {again},
		}).Want(t, in, "a sign-up")
	}
}

// An attack had 115 accounts of its own, each with a browser in which it had signed in before.
func TestManyKnownAccountsShutNobodyOut(t *testing.T) { //nolint:paralleltest // as above
	app := apptest.New(t, behindProxy())
	owner, ann := newcomer(t, app, home), newcomer(t, app, elsewhere)
	owner.signIn(t, demo.Email, demo.Password).Must(t, in, "the owner")
	ann.SignUp(t, "ann@example.com")
	var cookies []string
	for n := range eves(t, app, 200) {
		cookie, _, err := app.Accounts.Remember(t.Context(), "", fmt.Sprintf("eve%d@example.com", n), "")
		check.Must(t, err)
		cookies = append(cookies, cookie)
	}
	stop := crowd(t, 200, func(ctx context.Context, n int) {
		flood(ctx, app, fmt.Sprintf("203.0.113.%d", n%4), cookies[n], fmt.Sprintf("eve%d@example.com", n), again)
	})
	defer stop()
	old := demo.Password
	for n := range 3 {
		owner.post(t, "/signout", nil)
		owner.signIn(t, demo.Email, demo.Password).Want(t, in, "the owner's browser")
		fresh := fmt.Sprintf("%s-%d", again, n)
		ann.post(t, "/account", url.Values{"do": {"password"}, "old-password": {old}, "password": {fresh}, "confirm": {fresh}}).
			Want(t, in, "a new password in a session")
		old = fresh
		newcomer(t, app, home).signIn(t, demo.Email, demo.Password).Want(t, in, "a new browser")
	}
}

// eves makes accounts of one person, with the password again, and returns their ids. The address of the first is eve0@example.com.
func eves(t *testing.T, app *apptest.App, n int) []uuid.UUID {
	t.Helper()
	newcomer(t, app, strangers).post(t, "/signup", url.Values{"email": {"eve@example.com"}, "password": {again},
		"confirm": {again}}).Must(t, in, "the first")
	rows, err := app.Pool.Query(t.Context(), `INSERT INTO account (id, email, name, password_hash)
		SELECT gen_random_uuid(), 'eve' || n || '@example.com', '', password_hash FROM account, generate_series(0, $1 - 1) n
			WHERE email = 'eve@example.com'
		ORDER BY n RETURNING id`, n)
	check.Must(t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	check.Must(t, err)
	return ids
}

// slowly sends the beginning of a request with a body, and leaves the connection open until the test ends.
func slowly(t *testing.T, app *apptest.App, from, request, header string) {
	t.Helper()
	host := strings.TrimPrefix(app.URL, "http://")
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
	check.Must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nX-Forwarded-For: %s\r\n%s\r\n\r\n-", request, host, app.URL,
		from, header)
	check.Must(t, err)
}

// Sixteen slow bodies stopped every form with files, and later those of many accounts. Now they are received before they take a place.
func TestSlowBodiesStopNoForms(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	for n, eve := range eves(t, app, 60) {
		token, err := app.Accounts.BeginSession(t.Context(), account.Person{ID: eve, Session: uuid.New()}, "", netip.MustParseAddr(strangers), "")
		check.Must(t, err)
		slowly(t, app, fmt.Sprintf("203.0.113.%d", n%4), "/desk/new",
			"Cookie: forecourt="+token+"\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000")
	}
	owner := newcomer(t, app, home)
	owner.signIn(t, demo.Email, demo.Password).Must(t, in, "the owner")
	for name, size := range map[string]int{"a form without a file": 0, "a form with a file": 100_000} {
		got := owner.PostFile(t, "/desk/panezski/menu/import", nil, "file", []byte(strings.Repeat("x", size)))
		check.Equal(t, got.Status, http.StatusUnprocessableEntity, "%s", name)
	}
}

// Slow requests of one network stopped everybody in it. Now each account that signed in there before has eight of its own.
func TestSlowRequestsOfANetworkStopNobodyKnown(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	owner := newcomer(t, app, home)
	owner.signIn(t, demo.Email, demo.Password).Must(t, in, "the owner")
	owner.from = strangers
	apptest.Eventually(t, "a network without places", func() bool { // each is cut off after ten seconds
		for range 208 {
			slowly(t, app, strangers, "/signin", "Content-Type: "+formType+"\r\nContent-Length: 100")
		}
		return newcomer(t, app, strangers).get(t, "/signin").Status == http.StatusServiceUnavailable
	})
	owner.get(t, "/account").Want(t, http.StatusOK, "the owner's browser, in the crowd's network")
	newcomer(t, app, home).get(t, "/signin").Want(t, http.StatusOK, "another network")
}

// Two hundred requests for a page with a long menu took both processors for a minute. Now the crowd's pages are made in turn, so that one
// for another network needs as long as a few of them, and not as long as all.
func TestACrowdAtALongMenuWaitsForItself(t *testing.T) { //nolint:paralleltest // counts what is answered meanwhile
	app := apptest.New(t, behindProxy())
	dbtest.PublishMenu(t, app.Pool, `INSERT INTO item
			(shop_code, category_id, name, price_minor, loc, position, description, picture, allergens_known)
		SELECT shop_code, category_id, 'Dish ' || n, 100, loc, 1000 + n, repeat('x', 400), picture, true
		FROM item, generate_series(1, 4000) n WHERE name = 'Cherry Pie' AND shop_code = 'panezski'`)
	guest := newcomer(t, app, elsewhere)
	page := func(n int) string { return fmt.Sprintf("/pos/panezski?f=vegan&n=guest%d", n) }
	apptest.Eventually(t, "the long menu", func() bool { return strings.Contains(guest.get(t, "/pos/panezski").Body, "Dish 4000") })
	var answered atomic.Int64
	stop := crowd(t, 80, func(ctx context.Context, n int) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, app.URL+page(n), nil)
		if err != nil {
			return
		}
		req.Header.Set("X-Forwarded-For", strangers)
		if res, err := http.DefaultClient.Do(req); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			answered.Add(1)
		}
	})
	defer stop()
	apptest.Eventually(t, "a crowd", func() bool { return answered.Load() > 80 })
	least := int64(math.MaxInt64)
	for n := range 5 {
		before := answered.Load()
		guest.get(t, page(n)).Want(t, http.StatusOK, "a guest in another network")
		least = min(least, answered.Load()-before)
	}
	if least > 30 {
		t.Errorf("a guest in another network got a page after %d pages of the crowd", least)
	}
}

// Small files that take long to decode, from seventeen accounts of one network, kept every other picture out.
func TestSlowPicturesOfANetworkWaitForEachOther(t *testing.T) { //nolint:paralleltest // decoding takes a processor
	app := apptest.New(t, behindProxy())
	send := func(ctx context.Context, from, cookie string, file []byte) (refused bool) {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		_ = form.WriteField("m", uuid.NewString())
		part, _ := form.CreateFormFile("logo-file", "logo.png")
		_, _ = part.Write(file)
		_ = form.Close()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, app.URL+"/desk/new", &body)
		if err != nil {
			return false
		}
		req.Header = http.Header{"Content-Type": {form.FormDataContentType()}, "X-Forwarded-For": {from}, "Cookie": {cookie},
			"Sec-Fetch-Site": {"same-origin"}}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		answer, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		return res.StatusCode == http.StatusServiceUnavailable || strings.Contains(string(answer), "Too many pictures")
	}
	picture := func(side int) []byte {
		var file bytes.Buffer
		check.Must(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, side, side))))
		return file.Bytes()
	}
	session := func(id uuid.UUID) string {
		token, err := app.Accounts.BeginSession(t.Context(), account.Person{ID: id, Session: uuid.New()}, "", netip.MustParseAddr(strangers), "")
		check.Must(t, err)
		return "forecourt=" + token
	}
	var cookies []string
	for _, eve := range eves(t, app, 24) {
		cookies = append(cookies, session(eve))
	}
	slow, quick := picture(5000), picture(50)
	check.Equal(t, len(slow) < 64<<10, true, "a picture of %d bytes is a small form", len(slow))
	var turnedAway atomic.Int64
	stop := crowd(t, len(cookies), func(ctx context.Context, n int) {
		if send(ctx, strangers, cookies[n], slow) {
			turnedAway.Add(1)
		}
	})
	defer stop()
	apptest.Eventually(t, "a full line", func() bool { return turnedAway.Load() > 0 })
	owns := session(dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM account WHERE email = $1", demo.Email))
	for range 3 {
		check.Equal(t, send(t.Context(), home, owns, quick), false, "a picture from another network is refused")
	}
}
