package gatewayaccount

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/people/review"
	"forecourt/internal/shop/shop"
)

// tryWithin limits one try at the gateway.
const tryWithin = 10 * time.Second

// Accounts keeps the accounts of all businesses.
type Accounts struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	box     *secret.Box
	gateway *gateway.Client
}

// New returns the accounts stored in pool, with passwords sealed by box. New ones are tried at gw; if gw is nil, as in commands, they are
// stored untried.
func New(pool *pgxpool.Pool, box *secret.Box, gw *gateway.Client) *Accounts {
	return &Accounts{pool, db.New(pool), box, gw}
}

// Of lists the accounts of a business: of test mode, then live.
func (a *Accounts) Of(ctx context.Context, code string) ([]Kept, error) {
	rows, err := a.queries.GatewayAccountListOfShop(ctx, code)
	list := make([]Kept, len(rows))
	for i, row := range rows {
		list[i] = Kept{
			Live: row.Live, End: End(row.PaylinkMid), SetBy: row.SetBy, SetAt: row.SetAt, Tried: row.TriedAt,
		}
	}
	return list, err
}

// Set tries an account and stores it in place of the previous one. Errors:
// account.ErrUnproved, fault.Problems, ErrRefused, ErrAway, ErrShop.
func (a *Accounts) Set(ctx context.Context, by shop.Person, code string, live bool, account Account) error {
	if err := by.Proof.Check(); err != nil {
		return err
	}
	if err := account.Check().Err(); err != nil {
		return err
	}
	tried, err := a.try(ctx, code, live, account)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		err := queries.GatewayAccountPut(ctx, db.GatewayAccountPutParams{
			ShopCode: code, Live: live, PaylinkMid: account.MID, SetBy: by.Email, TriedAt: tried,
			PwdSealed: a.box.Seal([]byte(account.Password.Reveal()), place(code, live)),
		})
		if db.IsOrphan(err) {
			return ErrShop
		}
		return errors.Join(err, audit(ctx, queries, by.Email, "gateway account set", code, live, account.MID))
	})
}

// Retry tries the stored account. Errors: gatewayaccount.ErrNone, gatewayaccount.ErrSealed, gatewayaccount.ErrRefused,
// gatewayaccount.ErrAway.
func (a *Accounts) Retry(ctx context.Context, by shop.Person, code string, live bool) error {
	rows, err := a.queries.GatewayAccountListOfShop(ctx, code)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Live != live {
			continue
		}
		password, err := a.box.Open(row.PwdSealed, place(code, live))
		if err != nil {
			return ErrSealed
		}
		if _, err := a.try(ctx, code, live, Account{MID: row.PaylinkMid, Password: secret.New(string(password))}); err != nil {
			return err
		}
		return errors.Join(
			a.queries.GatewayAccountTried(ctx, code, live), audit(ctx, a.queries, by.Email, "gateway account tried", code, live, row.PaylinkMid),
		)
	}
	return ErrNone
}

// Drop removes an account. From then on wallets are not offered in this mode. Errors: gatewayaccount.ErrNone.
func (a *Accounts) Drop(ctx context.Context, by shop.Person, code string, live bool) error {
	if err := by.Proof.Check(); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		n, err := queries.GatewayAccountDrop(ctx, code, live)
		if err == nil && n == 0 {
			err = ErrNone
		}
		if err != nil {
			return err
		}
		return audit(ctx, queries, by.Email, "gateway account removed", code, live, "")
	})
}

// Seal seals the passwords that an earlier version of the program stored as plain text, and clears the plain text. It may run at every
// start and in several processes at once.
func (a *Accounts) Seal(ctx context.Context) error {
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		rows, err := queries.GatewayAccountPlain(ctx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := queries.GatewayAccountSeal(
				ctx, a.box.Seal([]byte(row.PaylinkPwd), place(row.ShopCode, row.Live)), row.ShopCode, row.Live,
			); err != nil {
				return err
			}
		}
		return nil
	})
}

// try asks the gateway whether it accepts an account, and returns the time of its answer, or nil without a gateway. Errors:
// gatewayaccount.ErrRefused, gatewayaccount.ErrAway.
func (a *Accounts) try(ctx context.Context, code string, live bool, account Account) (*time.Time, error) {
	if a.gateway == nil {
		return nil, nil //nolint:nilnil // nil is never
	}
	ctx, cancel := context.WithTimeout(ctx, tryWithin)
	defer cancel()
	taken, err := a.gateway.TryAccount(ctx, gateway.AccountTrial{
		MerchantID: code, PublicKey: account.MID, Password: account.Password, Reference: uuid.NewString(), TestMode: !live,
	})
	if err != nil {
		return nil, ErrAway
	}
	if !taken {
		return nil, ErrRefused
	}
	now := time.Now()
	return &now, nil
}

// place returns the context in which a password is sealed, so that a row cannot be moved to another business or mode.
func place(code string, live bool) string {
	return "gateway account " + code + " live " + strconv.FormatBool(live)
}

// subject names the accounts of a business in the audit log.
func subject(code string) string { return "gateway account " + code }

func audit(ctx context.Context, queries *db.Queries, by, action, code string, live bool, mid string) error {
	detail := "test"
	if live {
		detail = "live"
	}
	if mid != "" {
		detail += ", merchant id ending in " + End(mid)
	}
	return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: action, Subject: subject(code), Reason: detail})
}

// Businesses lists a page, from 1, of the businesses in a state, by name; of all for the empty state. With a text, it lists only those that
// have it in their name or code. more reports whether another page follows.
func (a *Accounts) Businesses(
	ctx context.Context, state State, text string, page int,
) (list []db.GatewayAccountShopsRow, more bool, err error) {
	skip, atMost := review.Window(page)
	rows, err := a.queries.GatewayAccountShops(ctx, db.GatewayAccountShopsParams{
		State: string(state), Part: text, AtMost: atMost, Skipped: skip,
	})
	list, more = review.Page(rows)
	return list, more, err
}

// Counts returns how many businesses are in each state.
func (a *Accounts) Counts(ctx context.Context) (map[State]int, error) {
	row, err := a.queries.GatewayAccountCount(ctx)
	return map[State]int{Missing: int(row.Missing), Connected: int(row.Connected)}, err
}

// History is a business with its accounts and what was done with them.
type History struct {
	Code, Name string
	Live       bool
	Kept       []Kept
	Events     []review.Event
}

// Review returns a business as staff see it. Errors: gatewayaccount.ErrShop.
func (a *Accounts) Review(ctx context.Context, code string) (h History, err error) {
	shop, err := a.queries.ShopGet(ctx, code)
	if errors.Is(err, pgx.ErrNoRows) {
		return h, ErrShop
	}
	if err != nil {
		return h, err
	}
	h = History{Code: shop.Code, Name: shop.Name, Live: shop.Live}
	if h.Kept, err = a.Of(ctx, code); err != nil {
		return h, err
	}
	h.Events, err = review.History(ctx, a.queries, subject(code))
	return h, err
}

// Sealed describes the column that holds the passwords of gateway accounts.
func Sealed() []secret.Column {
	return []secret.Column{{
		Table: "shop_account", Name: "pwd_sealed", Purpose: "gateway accounts",
		Key:   []secret.Part{{Name: "shop_code", Type: "text"}, {Name: "live", Type: "boolean"}},
		Place: func(p []string) string { return place(p[0], p[1] == "true") },
		Lost:  "staff enter the account again at /staff/accounts/CLIENT",
	}}
}
