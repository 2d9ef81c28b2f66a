package golive

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/review"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/pubsub"
	"forecourt/internal/shop/shop"
)

// The letters about going live, by mail.Request.Kind; their data is GoLiveLetter.
const (
	LetterLive    = "shop live"     // the shop takes real payments
	LetterDecided = "shop launched" // staff decided
)

// Letter is what the writers of these letters need.
type Letter struct {
	Code   string       `json:"code"`
	To     string       `json:"to"`
	State  RequestState `json:"state,omitempty"` // of a decision
	Reason string       `json:"reason,omitempty"`
	Ended  bool         `json:"ended,omitempty"` // the decision took the shop back to test mode
}

// choices are what staff can decide.
var choices = []review.Choice[RequestState]{{State: Approved}, {State: Returned, Why: "Say why, in words for the owners"}}

// Review is a request to go live with all that staff need to decide on it.
type Review struct {
	db.GoLive

	Shop      shop.Shop
	Progress  Progress
	Reference string     // of the application; "" if none was sent
	Items     int32      // for sale
	Tested    *TestOrder // nil if there is none
	Team      []shop.Member
	History   []review.Event
}

// TestOrder is the first test order that was paid.
type TestOrder = db.GoLiveTestedRow

// Tested returns the first test order that was paid, nil if there is none.
func (l *GoLive) Tested(ctx context.Context, code string) (*TestOrder, error) {
	row, err := l.queries.GoLiveTested(ctx, code)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // none is not an error
	}
	return &row, err
}

// Queue returns a page, counted from 1, of the requests in a state ("" for all), and reports whether another page follows.
func (l *GoLive) Queue(ctx context.Context, in RequestState, page int) (list []Case, more bool, err error) {
	skip, atMost := review.Window(page)
	rows, err := l.queries.GoLiveList(ctx, in, skip, atMost)
	list, more = review.Page(rows)
	return list, more, err
}

// Counts returns how many requests are in each state.
func (l *GoLive) Counts(ctx context.Context) (map[RequestState]int, error) {
	rows, err := l.queries.GoLiveCount(ctx)
	return review.Counts(rows, func(row db.GoLiveCountRow) (RequestState, int64) { return row.State, row.Requests }), err
}

// Review returns the request of a shop for staff. Errors: shop.ErrMissing.
func (l *GoLive) Review(ctx context.Context, code string) (r Review, err error) {
	if r.Shop.Shop, err = l.queries.ShopGet(ctx, code); err == nil {
		r.GoLive, err = l.queries.GoLiveGet(ctx, code)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return r, shop.ErrMissing
	}
	if err != nil {
		return r, err
	}
	if r.Progress, err = l.Progress(ctx, r.Shop); err != nil {
		return r, err
	}
	if r.Reference, err = l.queries.GoLiveApplication(ctx, code); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return r, err
	}
	if r.Tested, err = l.Tested(ctx, code); err != nil {
		return r, err
	}
	if r.Items, err = l.queries.GoLiveItems(ctx, code); err != nil {
		return r, err
	}
	if r.Team, err = l.queries.TeamList(ctx, code); err != nil {
		return r, err
	}
	r.History, err = review.History(ctx, l.queries, Subject(code))
	return r, err
}

// Decide stores a decision on a revision of a shop's request, records it in the audit log and mails the owners. Returning what
// was approved takes the shop back to test mode at once. Errors: those of review.Check, review.ErrDecided, shop.ErrMissing, and
// fault.Problems for an approval while a step is missing.
func (l *GoLive) Decide(ctx context.Context, code string, d review.Decision[RequestState]) (err error) {
	if d.Reason, err = review.Check(choices, d.State, d.Reason); err != nil {
		return err
	}
	err = pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		one, p, err := l.lock(ctx, queries, code)
		switch {
		case err != nil:
			return err
		case d.State == Approved && len(p.Missing()) > 0:
			return fault.Problems{"": "Something is missing now, so the approval was not recorded. The page says what."}
		}
		n, err := queries.GoLiveDecide(ctx, db.GoLiveDecideParams{
			State: d.State, Reason: d.Reason, DecidedBy: d.By, ShopCode: code, Revision: int32(d.Version), //nolint:gosec // it came from there
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return review.ErrDecided
		}
		if one.Live {
			_, err = l.put(ctx, tx, one, false)
			err = errors.Join(err, note(ctx, queries, d.By, switched(false), code, ""))
		}
		return errors.Join(
			err,
			note(ctx, queries, d.By, "going live "+string(d.State), code, d.Reason),
			l.mailOwners(ctx, tx, LetterDecided, Letter{Code: code, State: d.State, Reason: d.Reason, Ended: one.Live}),
		)
	})
	if err == nil {
		l.announce(pubsub.Kitchen(code))
	}
	return err
}

// note records in the audit log what somebody did about a shop's going live.
func note(ctx context.Context, queries *db.Queries, by, action, code, reason string) error {
	return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: action, Subject: Subject(code), Reason: reason})
}

// mailOwners queues a letter to each owner of a shop.
func (l *GoLive) mailOwners(ctx context.Context, tx pgx.Tx, letter string, data Letter) error {
	owners, err := db.New(tx).ShopOwners(ctx, data.Code)
	id := uuid.NewString()
	for _, o := range owners {
		data.To = o.Email
		err = errors.Join(err, l.mail.Add(ctx, tx, mail.Request{Kind: letter, Key: fmt.Sprintf("%s/%s/%s", letter, id, o.ID), Data: data}))
	}
	return err
}
