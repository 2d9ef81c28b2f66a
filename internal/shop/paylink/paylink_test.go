package paylink_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/paylink"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestADueDayEndsInTheZoneOfTheBusiness(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	for _, c := range []struct{ zone, expires, want string }{
		{"Australia/Sydney", "2034-12-31", "2034-12-31T13:00:00Z"},
		{"Australia/Sydney", "2034-06-30", "2034-06-30T14:00:00Z"}, // winter time
		{"Australia/Perth", "2034-12-31", "2034-12-31T16:00:00Z"},
		{"Australia/Perth", "2034-12-31T09:30:00Z", "2034-12-31T09:30:00Z"},
	} {
		expires, err := paylink.ParseExpiry(c.expires)
		check.Must(t, err)
		dbtest.Exec(t, pool, "UPDATE shop SET time_zone = $1 WHERE code = 'panezski'", c.zone)
		made, err := paylink.Create(t.Context(), pool, []paylink.Wanted{{Shop: "panezski", Amount: 100, Expires: expires}})
		check.Must(t, err)
		row, err := db.New(pool).TransactionGet(t.Context(), made[0].ID, "panezski")
		check.Must(t, err)
		check.Equal(t, row.Transaction.ExpiresAt.UTC().Format(time.RFC3339), c.want, "%s in %s ends at", c.expires, c.zone)
	}
	_, err := paylink.ParseExpiry("soon")
	check.Error(t, err, "ParseExpiry accepted the word soon")
}

func TestAPayLinkIsATransactionWithoutLines(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	expires := time.Now().Add(48 * time.Hour).Truncate(time.Microsecond)
	made, err := paylink.Create(t.Context(), pool, []paylink.Wanted{
		{Shop: "panezski", Amount: 1250, Reference: "INV-2041", Description: "Wedding cake, deposit", Expires: paylink.ExpiresAt(expires)},
		{Shop: "tahbella", Amount: money.Max, Currency: "GBP"},
	})
	if err != nil || len(made) != 2 {
		t.Fatalf("%d made, %v", len(made), err)
	}
	queries := db.New(pool)
	for i, want := range []db.Transaction{
		{
			ShopCode: "panezski", AmountMinor: 1250, Currency: "AUD", TestMode: true, ClientRef: "INV-2041",
			Description: "Wedding cake, deposit", ExpiresAt: &expires,
		},
		{ShopCode: "tahbella", AmountMinor: money.Max, Currency: "GBP"},
	} {
		row, err := queries.TransactionGet(t.Context(), made[i].ID, made[i].Shop)
		check.Must(t, err)
		want.ID, want.Status, want.CountryCode, want.Source = made[i].ID, "new", "AU", "PayLink"
		want.Differences = []db.Difference{}
		want.Kind, want.TrxRef, want.CreatedAt = "link", made[i].ID, row.Transaction.CreatedAt
		if diff := cmp.Diff(want, row.Transaction); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		if ref := row.Transaction.TrxRef; ref == "" || ref == "POS" || ref == "QR" || row.Transaction.Source == "diy-pos" {
			t.Errorf("PAY-49 trxRef %q and source %q are those of no pay link", ref, row.Transaction.Source)
		}
		if lines, err := queries.OrderLineList(t.Context(), made[i].ID, made[i].Shop); err != nil || len(lines) > 0 {
			t.Errorf("%d lines, %v", len(lines), err)
		}
		if made[i].Currency != want.Currency || made[i].Amount != want.AmountMinor || made[i].Reference != want.ClientRef {
			t.Errorf("Create returned %+v", made[i])
		}
	}
}

func TestOneBadRowStoresNothing(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	transactions := func() int { return dbtest.Value[int](t, pool, "SELECT count(*) FROM transaction") }
	before := transactions()
	long := strings.Repeat("é", 256)
	_, err := paylink.Create(t.Context(), pool, []paylink.Wanted{
		{Shop: "panezski", Amount: 100},
		{Shop: "nobody", Amount: 0, Reference: long, Description: long},
		{Shop: "", Amount: -1, Reference: "a\xff", Description: "a\xffb"},
		{Shop: "a\x00", Amount: money.Max + 1, Currency: "nonsense"},
		{Shop: "sabona", Amount: 1, Currency: "JPY", Expires: paylink.ExpiresAt(time.Now().Add(-time.Second))},
		{Shop: "sabona", Amount: 1, Description: "Deposit, 4111 1111 1111 1111"},
		{Shop: "sabona", Amount: 1, Reference: "4111111111111111"},
		{Shop: "sabona", Amount: 1, Currency: "aud", Reference: strings.Repeat("é", 64), Description: long[2:]},
	})
	var problems paylink.Problems
	if !errors.As(err, &problems) || fault.CodeOf(err) != fault.Invalid {
		t.Fatalf("Create returned %v, want problems", err)
	}
	want := paylink.Problems{
		{2, "client", "there is no such business"},
		{2, "amount", "the amount has to be above zero"},
		{2, "reference", "the reference can have 64 characters at most"},
		{2, "description", "the description can have 255 characters at most"},
		{3, "client", "say which business is paid"},
		{3, "amount", "the amount has to be above zero"},
		{3, "reference", "the reference is not UTF-8"},
		{3, "description", "the description is not UTF-8"},
		{4, "client", "there is no such business"},
		{4, "amount", "the amount can be 999999.99 at most"},
		{5, "currency", "the currency has to be three capital letters of one with two decimals, such as AUD"},
		{5, "expires", "the expiry has to be in the future"},
		{6, "description", "the description looks like a card number, which must not be stored"},
		{7, "reference", "the reference looks like a card number, which must not be stored"},
		{8, "currency", "the currency has to be three capital letters of one with two decimals, such as AUD"},
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	check.Equal(t, transactions(), before, "transactions after a refusal")
}

func TestReadPayLinksAndTransactions(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	queries := db.New(pool)
	exec := func(statement string) { dbtest.Exec(t, pool, statement) }
	exec("UPDATE shop SET pl_name = 'Pan Links', pl_merchant_email = 'links@panezski.example', mail = 'shop@panezski.example' WHERE code = 'panezski'")
	made, err := paylink.Create(t.Context(), pool, []paylink.Wanted{{Shop: "panezski", Amount: 100}})
	check.Must(t, err)
	link := made[0].ID
	exec("UPDATE shop SET pl_name = 'New name', pl_merchant_email = 'new@panezski.example' WHERE code = 'panezski'")
	orders := order.NewOrders(pool, order.NewMenus(pool))
	ordered, _, err := orders.Create(t.Context(), order.Request{
		Shop: "panezski", Lines: []order.Line{{Name: "Butter Croissant", Qty: 1}}, Source: "diy-pos",
	})
	check.Must(t, err)

	t.Run("a pay link is read by its transaction, as it was sent (DOC-09 DOC-11)", func(t *testing.T) {
		t.Parallel()
		got, err := queries.TransactionGet(t.Context(), link, "panezski")
		if err != nil || got.Transaction.ID != link || got.PlName != "Pan Links" {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("a second pay link of a transaction is refused, so the first is the match (DOC-11)", func(t *testing.T) {
		t.Parallel()
		_, err := pool.Exec(t.Context(), "INSERT INTO paylink VALUES ($1, 'panezski', 'Second', '')", link)
		if err == nil || !strings.Contains(err.Error(), "23505") {
			t.Errorf("the second pay link was stored: %v", err)
		}
	})
	t.Run("an order is read by its id (DOC-10 DOC-12)", func(t *testing.T) {
		t.Parallel()
		got, err := queries.TransactionGet(t.Context(), ordered, "panezski")
		if err != nil || got.Transaction.ID != ordered || got.PlName != "" || got.Shop.PlName != "New name" || got.Shop.PlMerchantEmail != "new@panezski.example" {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("unknown transactions and those of another merchant are not found (DOC-11 DOC-12)", func(t *testing.T) {
		t.Parallel()
		for _, key := range [][2]string{{"nothing", "panezski"}, {link, "moollar"}, {ordered, "moollar"}} {
			got, err := queries.TransactionGet(t.Context(), key[0], key[1])
			check.ErrorIs(t, err, pgx.ErrNoRows, "transaction %v: %+v", key, got)
		}
	})
}
