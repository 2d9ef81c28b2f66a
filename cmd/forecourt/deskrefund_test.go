package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/dbtest"
	"forecourt/internal/demo"
)

// The process is killed after the gateway has made a refund but before the screen learns of it. Then the browser sends its form again.
func TestARefundFromTheScreenSurvivesAKillAndIsMadeOnce(t *testing.T) {
	t.Parallel()
	values := site(t, dbtest.URL(t))
	one := startProcess(t, values, "serve")
	c := newCustomer(t, one.address)
	c.signIn(demo.Password, "303")
	id := c.order("panezski")
	c.json(id, "panezski", "200", "pan", "4000000000000507") // the gateway makes its refunds and answers 500
	c.becomes("panezski", id, "success")
	conn, err := pgx.Connect(t.Context(), values["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())

	page := "/desk/panezski/payments/" + id + "/refund"
	preview := c.send(http.MethodPost, page, formType, url.Values{"do": {"preview"}, "how": {"amount"}, "amount": {"1"}, "reason": {"cold"}}.Encode(), "200")
	confirmed := url.Values{"do": {"refund"}, "how": {"amount"}, "reason": {"cold"}}
	for _, name := range []string{"key", "seen", "minor"} {
		_, rest, _ := strings.Cut(preview, `name="`+name+`" value="`)
		value, _, _ := strings.Cut(rest, `"`)
		confirmed.Set(name, value)
	}
	go func() { // nobody waits for the answer
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, one.address+page, strings.NewReader(confirmed.Encode()))
		if err != nil {
			return
		}
		req.Header.Set("Content-Type", formType)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		if res, err := c.client.Do(req); err == nil {
			_ = res.Body.Close()
		}
	}()
	moved := func() (n int) {
		for _, entry := range ledger(t, values["GATEWAY_URL"]) {
			if entry.Kind == "refund" && entry.TrxID == id {
				n++
			}
		}
		return n
	}
	apptest.Eventually(t, "the gateway has given the money back", func() bool { return moved() == 1 })
	one.kill()

	c.site = startProcess(t, values, "serve").address
	c.send(http.MethodPost, page, formType, confirmed.Encode(), "303")
	apptest.Eventually(t, "the refund is known to be done", func() bool {
		return query(t, conn, "SELECT string_agg(state, ' ') FROM refund WHERE transaction_id = '"+id+"'")[0] == "done"
	})
	if n := moved(); n != 1 {
		t.Errorf("the gateway gave back %d times", n)
	}
	if text := c.send(http.MethodGet, "/desk/panezski/payments/"+id, "", "", "200"); !strings.Contains(text, "The gateway refunded $1.00") {
		t.Error("the screen does not say so")
	}
}
