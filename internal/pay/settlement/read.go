package settlement

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/mail"
)

const (
	day = 24 * time.Hour
	// slack is how far the gateway's clock may be ahead of ours.
	slack = day
	// late is how far back the daily reading goes: an entry may be listed long after its time.
	late = 120 * day
)

// ReadLately reads what the gateways list of the last day.
func (s *Settlement) ReadLately(ctx context.Context) error { return s.unlessClosed(ctx, day) }

// ReadDaily reads what the gateways list of the last 120 days, and judges everything anew.
func (s *Settlement) ReadDaily(ctx context.Context) error {
	if err := s.unlessClosed(ctx, late); err != nil {
		return err
	}
	now := time.Now()
	for from := now.Add(-late); from.Before(now); from = from.Add(time.Hour) { // of a busy site, a day takes longer than a statement may
		if err := s.queries.LedgerJudgeAll(ctx, from, from.Add(time.Hour)); err != nil {
			return err
		}
	}
	return nil
}

// unlessClosed reads the ledgers, unless a restore has closed payments: the import reads them then.
func (s *Settlement) unlessClosed(ctx context.Context, back time.Duration) error {
	if closed, err := s.queries.RestoreClosed(ctx); err != nil || closed {
		return err
	}
	return errors.Join(s.Read(ctx, "", time.Now().Add(-back), time.Now().Add(slack)), s.tellStaff(ctx))
}

// Read brings what a gateway, or with "" each of them, lists from (included) to (excluded) into the database: every entry once, whatever
// pages and windows it was listed on. It books disputes and payouts, judges what the ledgers lack, and tells businesses of their disputes.
// A gateway that cannot be read keeps no other from being read.
func (s *Settlement) Read(ctx context.Context, id string, from, to time.Time) error {
	var failed error
	for _, at := range s.gateways {
		if id != "" && id != at.ID() {
			continue
		}
		for _, kind := range []gateway.Kind{"", gateway.KindDispute, gateway.KindPayout, gateway.KindOpen} {
			if err := s.readKind(ctx, at, kind, from, to); err != nil {
				failed = errors.Join(failed, fmt.Errorf("the ledger of %s, entries of kind %q: %w", at.ID(), kind, err))
			}
		}
	}
	return errors.Join(failed, s.placeAgain(ctx), s.judge(ctx, from, to), s.tellBusinesses(ctx))
}

// judge judges anew what a reading has not changed, some hundreds of transactions at once.
func (s *Settlement) judge(ctx context.Context, from, to time.Time) error {
	for written := int64(1); written > 0; {
		err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			queries := s.queries.WithTx(tx)
			err := queries.LedgerLock(ctx)
			if err == nil {
				written, err = queries.LedgerJudge(ctx, from, &to)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readKind reads the entries of a kind, a day after the other, so that what it holds does not grow with the window.
func (s *Settlement) readKind(ctx context.Context, at *gateway.Client, kind gateway.Kind, from, to time.Time) error {
	began, served := time.Now(), true
	step := day
	if kind == gateway.KindOpen { // these have no window
		step = to.Sub(from)
	}
	undated := map[uuid.UUID]bool{}
	for since := from; since.Before(to) && served; since = since.Add(step) {
		part := reading{
			Settlement: s, at: at, kind: kind, from: since, to: earlier(since.Add(step), to),
			undated: undated, last: to.Sub(from) > 2*step && !since.Add(step).Before(to),
		}
		err := part.read(ctx)
		if served = !errors.Is(err, gateway.ErrNotServed); err != nil && served {
			return err
		}
	}
	if kind == gateway.KindPayout && served {
		if err := s.queries.PayoutsRead(ctx, time.Duration(s.days)*day); err != nil {
			return err
		}
	}
	return s.queries.LedgerReadAdd(ctx, db.LedgerReadAddParams{
		Gateway: at.ID(), Kind: string(kind), FromAt: from, UntilAt: to, BeganAt: began,
	})
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// reading is a complete reading of a part of a ledger.
type reading struct {
	*Settlement
	at       *gateway.Client
	kind     gateway.Kind
	from, to time.Time
	undated  map[uuid.UUID]bool // entries without a time that any part listed
	last     bool               // of a long reading's parts: undated entries that none listed are withdrawn, too
	again    bool               // what the first time lacked
}

func (r reading) read(ctx context.Context) error {
	began, seen := time.Now(), map[uuid.UUID]bool{}
	err := r.at.Ledger(ctx, r.from, r.to, r.kind, func(page []gateway.Entry) error {
		rows := make([]row, len(page))
		for i, e := range page {
			rows[i] = rowOf(e)
			if seen[rows[i].ID] = true; rows[i].At == nil {
				r.undated[rows[i].ID] = true
			}
		}
		for some := range slices.Chunk(rows, atOnce) {
			if err := r.store(ctx, some); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	known, err := r.queries.LedgerListed(ctx, db.LedgerListedParams{
		Gateway: r.at.ID(), Kind: string(r.kind), FromAt: &r.from, UntilAt: &r.to, Undated: r.last, BeganAt: began,
	})
	if err != nil {
		return err
	}
	var gone []uuid.UUID
	for _, id := range known {
		if !seen[id] && !r.undated[id] {
			gone = append(gone, id)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if !r.again { // a single answer that is empty by mistake must not hold every payment
		r.again = true
		return r.read(ctx)
	}
	r.log.WarnContext(ctx, "the gateway no longer lists entries", "gateway", r.at.ID(), "entries", len(gone))
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		queries := r.queries.WithTx(tx)
		if err := queries.LedgerLock(ctx); err != nil {
			return err
		}
		return queries.LedgerWithdraw(ctx, gone)
	})
}

// atOnce is how many entries are stored at once.
const atOnce = 500

// store stores some entries with the payouts among them: all or nothing.
func (s *Settlement) store(ctx context.Context, rows []row) error {
	if len(rows) == 0 {
		return nil
	}
	page, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if err := queries.LedgerLock(ctx); err != nil {
			return err
		}
		changed, err := queries.LedgerStore(ctx, page)
		if err != nil || len(changed) == 0 {
			return err
		}
		listed := make([]uuid.UUID, len(rows))
		for i, r := range rows {
			listed[i] = r.ID
		}
		payouts, err := queries.LedgerNew(ctx, changed, listed)
		for _, p := range payouts {
			err = errors.Join(err, s.add(ctx, queries, p))
		}
		return err
	})
}

// row is an entry as ledger_store takes it.
type row struct {
	ID            uuid.UUID  `json:"id"`
	Gateway       string     `json:"gateway"`
	Kind          string     `json:"kind"`
	Reference     string     `json:"reference"`
	TrxID         string     `json:"trx_id"`
	TransactionID string     `json:"transactionid"`
	Merchant      string     `json:"merchant"`
	TestMode      *bool      `json:"test_mode"`
	Amount        int64      `json:"amount_minor"`
	Currency      string     `json:"currency"`
	State         string     `json:"state"`
	Due           *time.Time `json:"due_at"`
	Arrivals      int        `json:"arrivals"`
	At            *time.Time `json:"at"`
	Gross         int64      `json:"gross_minor"`
	Fees          int64      `json:"fees_minor"`
	Lines         []string   `json:"lines"`
	Odd           string     `json:"odd"`
}

func rowOf(e gateway.Entry) row {
	r := row{
		e.ID(), e.Gateway, string(e.Kind), e.Reference, e.TrxID, e.TransactionID, e.MerchantID, e.TestMode, e.Amount, e.Currency,
		string(e.State), e.Due, e.Arrivals, &e.At, e.Gross, e.Fees, append([]string{}, e.References...), e.Odd,
	}
	if e.At.IsZero() {
		r.At = nil
	}
	return r
}

// LetterDispute tells a business the state of a dispute; its data is DisputeData.
const LetterDispute = "dispute"

// DisputeData is the data of LetterDispute.
type DisputeData struct {
	Attempt uuid.UUID     `json:"attempt"`
	State   state.Dispute `json:"state"`
}

// tellBusinesses queues the letters about disputes whose state is new: each once, wherever it came from.
func (s *Settlement) tellBusinesses(ctx context.Context) error {
	for more := true; more; {
		err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			queries := s.queries.WithTx(tx)
			disputes, err := queries.DisputeTell(ctx)
			if more = len(disputes) > 0; err != nil || !more {
				return err
			}
			told := make([]uuid.UUID, len(disputes))
			for i, d := range disputes {
				told[i] = d.AttemptID
				s.log.WarnContext(ctx, "a payment is disputed", "attempt", d.AttemptID, "state", d.State, "due", d.DueAt)
				if s.mail == nil {
					continue
				}
				letter := mail.Request{
					Kind: LetterDispute, Key: fmt.Sprintf("dispute/%s/%s/%d", d.AttemptID, d.State, d.At.Unix()),
					Data: DisputeData{d.AttemptID, d.State},
				}
				if err := s.mail.Add(ctx, tx, letter); err != nil {
					return err
				}
			}
			return queries.DisputeTold(ctx, told)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
