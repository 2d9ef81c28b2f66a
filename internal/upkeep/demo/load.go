package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/paylink"
)

// Load puts the businesses into the database and opens them. It leaves existing rows unchanged, so it may run at every start and
// concurrently with other processes. If the gateway does not accept their accounts, they have none and offer no wallets.
func Load(ctx context.Context, pool *pgxpool.Pool, accounts *gatewayaccount.Accounts) error {
	return loadAll(ctx, pool, accounts, true)
}

// LoadShut is Load for a site without demo mode: nothing of the demo data works.
func LoadShut(ctx context.Context, pool *pgxpool.Pool, accounts *gatewayaccount.Accounts) error {
	return loadAll(ctx, pool, accounts, false)
}

func loadAll(ctx context.Context, pool *pgxpool.Pool, accounts *gatewayaccount.Accounts, open bool) error {
	if err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return fill(ctx, tx, open) }); err != nil {
		return err
	}
	return loadAccounts(ctx, accounts)
}

// Shut closes the existing demo data: its accounts, businesses, invitations and links stop working, and the sessions of its
// accounts end. Load opens it again.
func Shut(ctx context.Context, pool *pgxpool.Pool) error {
	return errors.Join(db.New(pool).FeeDemoDrop(ctx), db.New(pool).DemoSetOpen(ctx, false))
}

func fill(ctx context.Context, tx pgx.Tx, open bool) error {
	businesses, err := Businesses()
	if err != nil {
		return err
	}
	// Two processes that start at once must not deadlock on each other's rows.
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", 0x64656d6f); err != nil {
		return err
	}
	queries := db.New(tx)
	if err := queries.DemoSetOpen(ctx, true); err != nil { // the queries below do not see closed data
		return err
	}
	for _, b := range businesses {
		if err := b.load(ctx, tx); err != nil {
			return fmt.Errorf("demo business %s: %w", b.Code, err)
		}
	}
	if err := loadInvite(ctx, queries); err != nil {
		return err
	}
	if err := loadPeople(ctx, queries, businesses); err != nil {
		return err
	}
	if err := queries.ShortlinkCreateDemo(ctx, Shortcode, "/pos/"+Shop); err != nil {
		return err
	}
	if err := loadPaylink(ctx, tx); err != nil {
		return err
	}
	if open {
		return queries.FeeDemo(ctx)
	}
	return queries.DemoSetOpen(ctx, false)
}

// paylinkReference is the merchant's reference of the demo pay link.
const paylinkReference = "DEMO-1"

// Paylink returns the transaction of the demo pay link, "" if it was not loaded.
func Paylink(ctx context.Context, conn db.DBTX) (id string, err error) {
	id, err = db.New(conn).PaylinkByReference(ctx, Shop, paylinkReference)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return id, err
}

func loadPaylink(ctx context.Context, tx pgx.Tx) error {
	if id, err := Paylink(ctx, tx); err != nil || id != "" {
		return err
	}
	_, err := paylink.Create(ctx, tx, []paylink.Wanted{{
		Shop: Shop, Amount: 18500, Reference: paylinkReference, Description: "Birthday cake for twenty, picked up on Saturday",
	}})
	return err
}

// load adds the business, and lists its tables and publishes its menu unless one was published.
func (b Business) load(ctx context.Context, tx pgx.Tx) error {
	queries := db.New(tx)
	err := queries.ShopPutDemo(ctx, db.ShopPutDemoParams{
		Code: b.Code, Name: b.Name, Tagline: b.Tagline, Live: b.Live, Accent: strings.ToLower(b.Accent), Logo: b.Logo,
		Abn: b.ABN, Mail: b.Email, PlName: b.PLName, PlMerchantEmail: b.Email, GstIncluded: b.GSTIncluded,
	})
	if err != nil {
		return err
	}
	if b.Live {
		if err := queries.GoLivePutDemo(ctx, b.Code); err != nil {
			return err
		}
	}
	if published, err := queries.MenuPublished(ctx, b.Code); err != nil || published {
		return err
	}
	if err := queries.ShopTableSet(ctx, b.Code, b.Tables, make([]string, len(b.Tables))); err != nil {
		return err
	}
	m, faults := b.Check(nil)
	if len(faults) > 0 {
		return fmt.Errorf("its menu: %v", faults)
	}
	return menu.Put(ctx, tx, b.Code, m, "", "demo")
}
