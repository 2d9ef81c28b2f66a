package merchant

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// ErrMissing means that a merchant does not exist, or is not this person's.
var ErrMissing = fault.New(fault.NotFound, "no such merchant of this person")

// Merchant is a company that has signed up to integrate.
type Merchant struct {
	UUID, UID  uuid.UUID
	Code, Name string
	SignupInfo json.RawMessage
	Products   []Product
	MID        string // account id of the test credentials
	Shop       string // code of the business that sells at /pos/{code}; "" while it has no menu
	Currency   string // of the shop; money.DefaultCurrency while it has none
	Zone       *time.Location
	OldUntil   time.Time // until when the secret before still works; zero without one
	CreatedAt  time.Time
}

// Has reports whether a product was chosen.
func (m Merchant) Has(code string) bool {
	for _, p := range m.Products {
		if p.Code == code {
			return true
		}
	}
	return false
}

// Merchants knows the merchants.
type Merchants struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	box     *secret.Box
	mail    *mail.Queue
	rule    account.Verification
	decide  Decider

	throttle *throttle.Throttle
}

// Decider decides what becomes of a test card by its number and expiry.
type Decider func(pan, exp string, now time.Time) gateway.Answer

// New returns the merchants stored in pool. box seals their secrets, queue mails invitations to their admins, rule says who may invite, and
// limitKeys hash the keys of limits.
func New(
	pool *pgxpool.Pool, box *secret.Box, queue *mail.Queue, rule account.Verification, limitKeys secret.Key, decide Decider,
) *Merchants {
	queries := db.New(pool)
	return &Merchants{
		pool: pool, queries: queries, box: box, mail: queue, rule: rule, decide: decide, throttle: throttle.New(queries, limitKeys),
	}
}

// Signs reports whether the merchant's dashboard shows a secret to sign payments with.
func (m Merchant) Signs() bool { return m.Has(APICode) || m.Has(ShopCode) }

// Of lists the merchants of an admin, in the order they were made (ADMIN-34, SEC-07, SEC-09).
func (m *Merchants) Of(ctx context.Context, admin uuid.UUID) ([]Merchant, error) {
	rows, err := m.queries.MerchantListByAdmin(ctx, admin)
	if err != nil {
		return nil, err
	}
	list := make([]Merchant, 0, len(rows))
	for _, row := range rows {
		one, err := read(row.Merchant)
		if err != nil {
			return nil, err
		}
		one.Currency = cmp.Or(row.Currency, money.DefaultCurrency)
		one.Zone = clock.Zone(cmp.Or(row.TimeZone, clock.Home))
		list = append(list, one)
	}
	return list, nil
}

// One returns the merchant with a uuid, for one of its admins. Errors: ErrMissing.
func (m *Merchants) One(ctx context.Context, admin, id uuid.UUID) (Merchant, error) {
	all, err := m.Of(ctx, admin)
	if err != nil {
		return Merchant{}, err
	}
	for _, one := range all {
		if one.UUID == id {
			return one, nil
		}
	}
	return Merchant{}, ErrMissing
}

func read(row db.Merchant) (Merchant, error) {
	one := Merchant{
		UUID: row.Uuid, UID: row.Uid, Code: row.Code, Name: row.Name, SignupInfo: row.SignupInfo, MID: row.Mid, CreatedAt: row.CreatedAt,
	}
	if row.ShopCode != nil {
		one.Shop = *row.ShopCode
	}
	if row.OldKeyUntil != nil && row.OldKeyUntil.After(time.Now()) {
		one.OldUntil = *row.OldKeyUntil
	}
	return one, json.Unmarshal(row.Products, &one.Products)
}

// found turns no row into ErrMissing.
func found(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrMissing
	}
	return err
}
