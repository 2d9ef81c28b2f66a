// Package notice tells the people on a team what happened to their business, by email and in their browsers, as each of them chose.
//
// Database triggers write an event in the transaction of the change; the package numbers it after the commit. The numbers of a business
// begin at 1 and have no gaps, so who has read up to a number has missed nothing before it, however long a transaction took to commit.
// The transaction that moves on to the next events also queues the letters, so that nobody is told twice.
package notice

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/push"
	"forecourt/internal/shop/shop"
)

// Kind is a kind of notice.
type Kind string

// The kinds.
const (
	Summary      Kind = "summary" // of a day
	OrderUnseen  Kind = "order.unseen"
	RefundFailed Kind = "refund.failed"
	Dispute      Kind = "dispute"
	Payout       Kind = "payout"
	RefundLarge  Kind = "refund.large" // above the limit of managers
	RefundAsked  Kind = "refund.asked" // of an owner
)

// Kinds lists the kinds in the order of the page that switches them.
func Kinds() []Kind {
	return []Kind{Summary, OrderUnseen, RefundFailed, Dispute, Payout, RefundLarge, RefundAsked}
}

// Pause is how long after a letter events wait for the next one.
const Pause = 10 * time.Minute

// events lists the events that each kind reports.
var events = map[Kind][]string{
	OrderUnseen:  {string(state.EventOrderUnseen)},
	RefundFailed: {string(state.EventRefundFailed)},
	Dispute:      {string(state.EventDisputeOpened), string(state.EventDisputeWon), string(state.EventDisputeLost)},
	Payout:       {string(state.EventPayoutPaid)},
	RefundLarge:  {string(state.EventRefundLarge)},
	RefundAsked:  {string(state.EventRefundAsked)},
}

// Told lists the kinds that a role in a shop can hear of: owners alone of refunds that they are asked for, accountants of no orders, and
// floor staff of no takings if the shop hides them.
func Told(one shop.Shop, role shop.Role) []Kind {
	return slices.DeleteFunc(Kinds(), func(k Kind) bool {
		return (k == Summary || k == Payout) && !one.Lets(role, shop.Takings) || k == OrderUnseen && !one.Lets(role, shop.Day) ||
			k == RefundAsked && !one.Lets(role, shop.Own)
	})
}

// Events lists the kinds of events that a notice reports; none for Summary.
func (k Kind) Events() []string { return events[k] }

// Choice is how a person gets a kind of notice.
type Choice struct{ Mail, Push bool }

// Default returns the choice that applies to a role until the person chooses.
func Default(role shop.Role, kind Kind) Choice {
	runs := role == shop.Owner || role == shop.Manager
	switch kind {
	case Summary:
		return Choice{Mail: role == shop.Owner}
	case RefundAsked:
		return Choice{Mail: role == shop.Owner, Push: role == shop.Owner}
	case OrderUnseen, RefundFailed, Dispute:
		return Choice{Mail: runs, Push: runs} // messages come only to browsers that the person added
	}
	return Choice{}
}

// ErrNoBrowser means that a browser is not registered for messages, or that the person has too many.
var ErrNoBrowser = fault.New(fault.Conflict, "no such browser, or too many")

// Notices tells the teams of businesses.
type Notices struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	mail    *mail.Queue
	push    *push.Push // nil while push is off
}

// New returns the notices kept in pool. p may be nil.
func New(pool *pgxpool.Pool, queue *mail.Queue, p *push.Push) *Notices {
	return &Notices{pool, db.New(pool), queue, p}
}

// Push returns the project and the key with which browsers register for messages; "" while push is off.
func (n *Notices) Push() (project, key string) {
	if n.push == nil {
		return "", ""
	}
	return n.push.ProjectID(), n.push.PublicKey()
}

// Choices returns which notices about a business a member gets, and in how many browsers they get messages.
func (n *Notices) Choices(ctx context.Context, code string, account uuid.UUID, role shop.Role) (map[Kind]Choice, int, error) {
	rows, err := n.queries.NoticeChoiceList(ctx, code, account)
	if err != nil {
		return nil, 0, err
	}
	all := map[Kind]Choice{}
	for _, kind := range Kinds() {
		all[kind] = Default(role, kind)
	}
	for _, row := range rows {
		all[Kind(row.Kind)] = Choice{Mail: row.Mail, Push: row.Push}
	}
	browsers, err := n.queries.NoticeBrowserList(ctx, account)
	return all, len(browsers), err
}

// Choose changes which notices about a business a member gets. Kinds that are not in choices stay as they are. The error is shop.ErrMissing
// for somebody who is not on the team.
func (n *Notices) Choose(ctx context.Context, code string, account uuid.UUID, choices map[Kind]Choice) error {
	err := pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		queries := n.queries.WithTx(tx)
		for _, kind := range Kinds() {
			c, ok := choices[kind]
			if !ok {
				continue
			}
			err := queries.NoticeChoiceSet(ctx, db.NoticeChoiceSetParams{
				ShopCode: code, AccountID: account, Kind: string(kind), Mail: c.Mail, Push: c.Push,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if db.IsOrphan(err) {
		return shop.ErrMissing
	}
	return err
}

// AddBrowser shows a person's messages in one more browser, which the token of its push registration names. Errors: ErrNoBrowser.
func (n *Notices) AddBrowser(ctx context.Context, account uuid.UUID, token string) error {
	rows, err := n.queries.NoticeBrowserAdd(ctx, account, push.KeyOf(token))
	if err == nil && rows == 0 {
		return ErrNoBrowser
	}
	return err
}

// DropBrowsers stops the messages in all browsers of a person.
func (n *Notices) DropBrowsers(ctx context.Context, account uuid.UUID) error {
	return n.queries.NoticeBrowserDrop(ctx, account)
}

// Collect notes the events that teams have to be told about. It is for event.NewNumberer.
func (n *Notices) Collect(ctx context.Context, tx pgx.Tx, list []Numbered) error {
	type place struct {
		shop string
		kind Kind
	}
	first := map[place]int64{}
	for _, e := range list {
		for _, kind := range Kinds() {
			if p := (place{e.Shop, kind}); slices.Contains(kind.Events(), string(e.Kind)) && (first[p] == 0 || e.Number < first[p]) {
				first[p] = e.Number
			}
		}
	}
	places := make([]place, 0, len(first))
	for p := range first {
		places = append(places, p)
	}
	// A fixed order, so that two transactions cannot wait for each other.
	slices.SortFunc(places, func(a, b place) int {
		return slices.Compare([]string{a.shop, string(a.kind)}, []string{b.shop, string(b.kind)})
	})
	for _, p := range places {
		err := n.queries.WithTx(tx).NoticeDueAdd(ctx, db.NoticeDueAddParams{
			ShopCode: p.shop, Kind: string(p.kind), AfterNumber: first[p] - 1, Pause: Pause,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
