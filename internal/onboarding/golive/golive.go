package golive

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/people/account"
	"forecourt/internal/people/review"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/pubsub"
	"forecourt/internal/shop/shop"
)

// GoLive takes shops live: their owners ask, staff decide, an owner switches. The switch holds a lock on the shop's row and looks at
// Progress again, so that nothing changes between the look and the switch.
type GoLive struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	shops    *shop.Shops
	mail     *mail.Queue
	rule     account.Verification
	announce func(topic string)
}

// New returns what takes shops live. rule says whether the team of a live shop needs verified addresses. announce makes open pages of a
// topic look again.
func New(pool *pgxpool.Pool, shops *shop.Shops, queue *mail.Queue, rule account.Verification, announce func(topic string)) *GoLive {
	return &GoLive{pool, db.New(pool), shops, queue, rule, announce}
}

// Ask asks staff, for an owner, to approve going live. said is the owner's message to staff. Asking twice changes nothing. Errors:
// fault.Problems of the note, shop.ErrMissing, shop.ErrRole, ErrNotReady.
func (l *GoLive) Ask(ctx context.Context, by shop.Person, code, said string) error {
	if wrong := review.Answer(&said); wrong != "" {
		return fault.Problems{"note": wrong}
	}
	return l.change(ctx, by, code, func(tx pgx.Tx, _ shop.Shop, p Progress) error {
		switch {
		case p.Live:
			return nil
		case len(p.Missing()) > 0:
			return ErrNotReady
		}
		queries := db.New(tx)
		n, err := queries.GoLiveAsk(ctx, code, by.Email, said)
		if err != nil || n == 0 {
			return err
		}
		return note(ctx, queries, by.Email, "going live requested", code, said)
	})
}

// Switch takes a shop live or back to test mode, for an owner. Going live needs staff's approval and every step of the checklist. It
// ends the unpaid orders of the other mode. Errors: shop.ErrMissing, shop.ErrRole, ErrNotApproved, ErrNotReady, ErrShortPassword;
// account.ErrUnproved when it goes live.
func (l *GoLive) Switch(ctx context.Context, by shop.Person, code string, live bool) error {
	if err := by.Proof.Check(); live && err != nil {
		return err
	}
	err := l.change(ctx, by, code, func(tx pgx.Tx, one shop.Shop, p Progress) error {
		if live && !p.Live {
			if err := p.MayGoLive(); err != nil {
				return err
			}
			who, err := db.New(tx).AccountGet(ctx, by.ID)
			if err != nil {
				return err
			}
			if who.ShortPassword {
				return ErrShortPassword
			}
		}
		done, err := l.put(ctx, tx, one, live)
		if err != nil || !done {
			return err
		}
		return note(ctx, db.New(tx), by.Email, switched(live), code, "")
	})
	if err == nil {
		l.announce(pubsub.Kitchen(code))
	}
	return err
}

// change runs work for an owner on a shop that is locked. The shop comes before its team, as in Team, so that the two never wait for
// each other.
func (l *GoLive) change(ctx context.Context, by shop.Person, code string, work func(pgx.Tx, shop.Shop, Progress) error) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		one, p, err := l.lock(ctx, db.New(tx), code)
		if err != nil {
			return err
		}
		return shop.ChangeIn(ctx, tx, by, code, shop.Own, func(shop.Role) (shop.Change, error) { return shop.Change{}, work(tx, one, p) })
	})
}

// lock returns a shop and its progress. Nobody can change the shop's mode until the transaction ends. Errors: shop.ErrMissing.
func (l *GoLive) lock(ctx context.Context, queries *db.Queries, code string) (shop.Shop, Progress, error) {
	row, err := queries.ShopHold(ctx, code)
	if errors.Is(err, pgx.ErrNoRows) {
		err = shop.ErrMissing
	}
	one := shop.Shop{Shop: row}
	if err != nil {
		return one, Progress{}, err
	}
	p, err := l.progress(ctx, queries, one)
	return one, p, err
}

// put switches a locked shop and tells its owners. It reports whether the shop was in the other mode.
func (l *GoLive) put(ctx context.Context, tx pgx.Tx, one shop.Shop, live bool) (bool, error) {
	queries := db.New(tx)
	n, err := queries.ShopSwitch(ctx, live, one.Code)
	if err != nil || n == 0 {
		return false, err
	}
	if _, err := queries.TransactionEndOfMode(ctx, one.Code, live); err != nil {
		return false, err
	}
	if !live {
		return true, nil
	}
	return true, l.mailOwners(ctx, tx, LetterLive, Letter{Code: one.Code})
}

func switched(live bool) string {
	if live {
		return "live payments on"
	}
	return "back to test mode"
}

// Progress returns how far a shop has come.
func (l *GoLive) Progress(ctx context.Context, one shop.Shop) (Progress, error) {
	return l.progress(ctx, l.queries, one)
}

func (l *GoLive) progress(ctx context.Context, queries *db.Queries, one shop.Shop) (Progress, error) {
	row, err := queries.ShopProgress(ctx, one.Code)
	if l.rule.Waived {
		row.Unverified = nil
	}
	if l.rule.PasswordAlone {
		row.Unsecured = nil
	}
	return Progress{row, one.Live, form.State(row.Application), RequestState(row.Request)}, err
}

// Case is a shop's request to go live, as staff see it in their queue.
type Case = db.GoLiveListRow

// Subject names a shop's going live in the audit log.
func Subject(code string) string { return "going live " + code }
