package db_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/paylink"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestOneQueryAnswersEachCallAboutAClient(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	queries := db.New(pool)
	admin, err := queries.AccountByEmail(t.Context(), "demo@forecourt.test")
	check.Must(t, err)
	for live, mid := range map[bool]string{false: "sandbox-panezski-test", true: "sandbox-panezski-live"} {
		dbtest.Exec(t, pool, "UPDATE shop SET live = $1, pl_merchant_email = 'links@' || code || '.example'", live)
		shop, err := queries.ShopGet(t.Context(), "panezski")
		t.Run("the business is read by one query, with its live flag (PAY-51 DOC-07)", func(t *testing.T) {
			if err != nil || shop.Name != "Panezski" || shop.Live != live {
				t.Errorf("merchant info: %+v, %v", shop, err)
			}
		})
		t.Run("its admins are known (DOC-05)", func(t *testing.T) {
			if row, err := queries.ShopEnter(t.Context(), "panezski", admin.ID); err != nil || row.Role != "owner" {
				t.Errorf("the admin has the role %q, %v", row.Role, err)
			}
			_, err := queries.ShopEnter(t.Context(), "panezski", uuid.New())
			check.ErrorIs(t, err, pgx.ErrNoRows, "a stranger is an admin")
		})
		t.Run("its mail addresses come with it (PAY-53)", func(t *testing.T) {
			if shop.PlName == "" || shop.Mail == "" || shop.PlMerchantEmail == "" {
				t.Errorf("mail info: %+v", shop)
			}
		})
		links, err := paylink.Create(t.Context(), pool, []paylink.Wanted{{Shop: "panezski", Amount: 100}, {Shop: "sabona", Amount: 100}})
		check.Must(t, err)
		trx, err := queries.TransactionGet(t.Context(), links[0].ID, "panezski")
		t.Run("a transaction of the business is read by one query (PAY-51)", func(t *testing.T) {
			if err != nil || trx.Transaction.AmountMinor != 100 || trx.Transaction.TestMode == live {
				t.Errorf("the transaction: %+v, %v", trx, err)
			}
		})
		t.Run("the receipt of a pay link goes to the merchant's address for pay links (PAY-51 PAY-53)", func(t *testing.T) {
			check.Equal(t, merchantMail(t, pool, links[0].ID), "links@panezski.example", "the merchant's mail about a pay link goes to")
		})
		t.Run("the receipt of an order goes to the address for receipts (DOC-05)", func(t *testing.T) {
			id := fmt.Sprintf("an-order-that-is-live-%t", live)
			dbtest.Exec(t, pool, `INSERT INTO transaction (id, shop_code, amount_minor, currency, country_code, test_mode, kind)
				VALUES ($1, 'panezski', 100, 'AUD', 'AU', $2, 'order')`, id, !live)
			check.Equal(t, merchantMail(t, pool, id), "orders@panezski.example", "the merchant's mail about an order goes to")
		})
		account, err := queries.TransactionWallet(t.Context(), links[0].ID, "panezski")
		t.Run("the merchant's account is read by one query, and its mode chooses the key (PAY-51 PAY-52 DOC-04 DOC-08)", func(t *testing.T) {
			if err != nil || account.PaylinkMid != mid {
				t.Errorf("account for live %v: %+v, %v", live, account, err)
			}
		})
		t.Run("no other business gets a key (PAY-52)", func(t *testing.T) {
			other, err := queries.TransactionWallet(t.Context(), links[1].ID, "sabona")
			check.ErrorIs(t, err, pgx.ErrNoRows, "sabona has no key but got %+v", other)
			other, err = queries.TransactionWallet(t.Context(), links[0].ID, "sabona")
			check.ErrorIs(t, err, pgx.ErrNoRows, "another shop got an account for the transaction: %+v", other)
		})
	}
	t.Run("a business that does not exist is not found (DOC-07)", func(t *testing.T) {
		_, err := queries.ShopGet(t.Context(), "nobody")
		check.ErrorIs(t, err, pgx.ErrNoRows, "a shop named nobody")
	})
}
