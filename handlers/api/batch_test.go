package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/people/invite"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type batchAnswer struct {
	ID    string
	Count int
	Rows  []struct {
		Row                                             int
		TrxID, URL, Status, Amount, Currency, Reference string
		Field, Reason                                   string
	}
	Error string
}

func sendBatch(t *testing.T, app *apptest.App, token, media, body string, header ...string) apptest.Answer {
	t.Helper()
	h := http.Header{"Content-Type": {media}, "Authorization": {"Bearer " + token}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return app.Do(t, http.MethodPost, "/api/batch", strings.NewReader(body), h)
}

func showBatch(t *testing.T, app *apptest.App, token, id string) apptest.Answer {
	t.Helper()
	return app.Do(t, http.MethodGet, "/api/batch/"+url.PathEscape(id), nil, http.Header{"Authorization": {"bearer " + token}})
}

func TestABatchOfPayLinks(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	token := app.Bearer(t, "panezski")
	got := sendBatch(t, app, token, "text/csv; charset=utf-8", "\ufeffamount;reference\r\n12.50;INV-1\r\n7;\"INV;2\"\r\n", "Idempotency-Key", "november")
	made := apptest.JSON[batchAnswer](t, got)
	if got.Status != http.StatusCreated || made.Count != 2 || made.Rows[0].Amount != "12.50" || made.Rows[1].Reference != "INV;2" || made.Rows[1].Row != 2 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	for _, row := range made.Rows {
		if row.URL != app.URL+"/pos/panezski/"+row.TrxID || row.Status != "new" || row.Currency != "AUD" {
			t.Errorf("%+v", row)
		}
	}
	same := sendBatch(t, app, token, "application/json", `[{"amount":"12.50","reference":"INV-1"},{"amount":"7","reference":"INV;2"}]`, "Idempotency-Key", "november")
	same.Want(t, http.StatusOK, "the same batch again")
	check.Equal(t, same.Body, got.Body, "the same batch again")
	refused(t, sendBatch(t, app, token, "application/json", `[{"amount":"1"}]`, "Idempotency-Key", "november"), 422, "another batch")
	refused(t, sendBatch(t, app, token, "application/json", `[{"amount":"1"}]`, "Idempotency-Key", "a\tb"), 422, "Idempotency-Key")

	v := app.Visit(t, "/pos/panezski/"+made.Rows[0].TrxID)
	v.Type("name", "Ada").Type("card", "4111111111111111").Type("exp", "12/34").Type("cvc", "123").Press("Pay $12.50")
	paid := apptest.JSON[batchAnswer](t, showBatch(t, app, token, made.ID))
	check.Equal(t, paid.Rows[0].Status, "paid", "after paying the first")
	check.Equal(t, paid.Rows[1].Status, "new", "after paying the first")
	refused(t, showBatch(t, app, app.Bearer(t, "moollar"), made.ID), 404)
	refused(t, showBatch(t, app, token, "a\x00b"), 404)
	missing := showBatch(t, app, token, "AAAAAAAAAAAAAAAAAAAAAAAAAA")
	check.Equal(t, showBatch(t, app, app.Bearer(t, "moollar"), made.ID).Body, missing.Body, "another shop's batch gets")
}

func TestABadBatchMakesNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	token := app.Bearer(t, "panezski")
	const transactions = "SELECT count(*) FROM transaction"
	before := dbtest.Value[int](t, app.Pool, transactions)
	got := sendBatch(t, app, token, "application/json", `{"transactions":[{"amount":"1"},{"amount":"0.00"},{"amount":"12,50","currency":"JPY"}]}`)
	refused(t, got, 422, "2 rows cannot be used. Nothing was created.")
	rows := apptest.JSON[batchAnswer](t, got).Rows
	if len(rows) != 3 || rows[0].Row != 2 || rows[0].Field != "amount" || rows[1].Row != 3 || rows[2].Field != "currency" || rows[2].Reason == "" {
		t.Errorf("%s", got.Body)
	}
	for _, tt := range []struct {
		name, media, body string
		status            int
		says              string
	}{
		{"wrong JSON", "application/json", "{", 400, "JSON"},
		{"no rows", "application/json", `{}`, 422, "no rows"},
		{"no heading", "text/csv", "12.50\n", 400, "name the columns"},
		{"a workbook", "text/csv", "PK\x03\x04\x14\x00", 400, "This file is a spreadsheet, not CSV."},
		{"Windows-1252", "text/csv", "amount,description\n5,Caf\xe9\n", 400, "than UTF-8 or UTF-16, perhaps Windows-1252."},
		{"too many rows", "text/csv", "amount\n" + strings.Repeat("1\n", 1001), 422, "at most 1000 rows"},
		{"another format", "application/xml", "<a/>", 415, "text/csv"},
		{"no format", "", "amount\n1", 415, "text/csv"},
		{"9 MiB", "text/csv", "amount\n" + strings.Repeat("1\n", 9<<19), 413, "8 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refused(t, sendBatch(t, app, token, tt.media, tt.body), tt.status, tt.says)
		})
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, transactions), before, "transactions")
}

func TestBatchesAreForHoldersOfTokens(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{InviteLimits: invite.Limits{Bearer: 3}})
	token := app.Bearer(t, "panezski")
	for name, header := range map[string]string{"none": "", "another scheme": "Basic " + token, "an empty one": "Bearer "} {
		got := app.Do(t, http.MethodPost, "/api/batch", strings.NewReader("[]"), http.Header{"Content-Type": {"application/json"}, "Authorization": {header}})
		refused(t, got, 401, "Authorization: Bearer")
		check.Equal(t, got.Header.Get("WWW-Authenticate"), "Bearer", "%s: headers %v", name, got.Header)
	}
	for _, wrong := range []string{"nonsense", token[:35], strings.ToUpper(token)} {
		refused(t, sendBatch(t, app, wrong, "application/json", `[{"amount":"1"}]`), 401, "does not exist")
	}
	limited := showBatch(t, app, "nonsense", "x")
	refused(t, limited, 429, "Too many wrong tokens")
	limited.HasHeader(t, "Retry-After", "…")
	sendBatch(t, app, token, "application/json", `[{"amount":"1"}]`).Want(t, http.StatusCreated, "the right token from the same address")
}
