package payment

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
)

// Answer is what a gateway says about an attempt that a person decides.
type Answer struct {
	gateway.Answer
	InLedger  bool   // Amount and Currency are from the gateway's ledger, not from the answer
	Returned  bool   // the gateway's ledger shows that the whole capture was refunded
	Overruled bool   // it does not confirm the decision of a person who has seen it
	Owner     string // the transaction of another payment that has the same id at the gateway; "" for none
}

// Says puts an answer into words for the person who decides.
func (a Answer) Says() string {
	text := map[gateway.Outcome]string{
		gateway.Declined: "declined", gateway.NotCharged: "not charged", gateway.Pending: "not decided yet",
		gateway.Mismatch:     "something that does not match the payment",
		gateway.NeverArrived: "it has never seen the payment", gateway.Redirected: "the customer is at the bank",
	}[a.Outcome]
	switch {
	case a.Charged:
		text = "approved" + a.saysAmount()
	case errors.Is(a.Err, ErrElsewhere):
		return "nothing, since it is not set up"
	case text == "":
		text = "nothing that can be understood, or it cannot be asked"
	}
	if a.Owner != "" {
		text += ", with the transaction id of another payment, " + a.Owner
	}
	if a.Returned {
		text += ", and all of it was given back"
	}
	return text
}

// saysAmount puts the amount of an approval into words.
func (a Answer) saysAmount() string {
	amount := strings.TrimSpace(money.Wire(a.Amount) + " " + a.Currency)
	switch {
	case a.InLedger && a.Named != "":
		return ", naming an amount of “" + a.Named + "”, but " + amount + " in its ledger"
	case a.InLedger:
		return ", " + amount + " in its ledger"
	case a.Amount != 0:
		return ", " + amount
	case a.Named != "":
		return ", naming an amount of “" + a.Named + "”"
	case a.Currency != "":
		return ", in " + a.Currency
	}
	return ""
}

// knowsAmount reports whether the captured amount is known. An approval that names no amount is for the attempt's amount.
func (a Answer) knowsAmount() bool { return a.Amount != 0 || a.Named == "" }

// Ask asks the gateway about an attempt that waits for a person, and changes nothing. Errors: ErrNotManual.
func (p *Payments) Ask(ctx context.Context, attempt uuid.UUID) (Answer, error) {
	a, err := p.waiting(ctx, attempt)
	if err != nil {
		return Answer{}, err
	}
	return p.ask(ctx, a)
}

// ask asks the attempt's own gateway and changes nothing.
func (p *Payments) ask(ctx context.Context, a db.Attempt) (Answer, error) {
	at := p.at(a.Gateway)
	if at == nil {
		return p.complete(ctx, a, gateway.Answer{Outcome: gateway.Unknown, Err: ErrElsewhere})
	}
	return p.complete(ctx, a, at.Look(ctx, p.wanted(ctx, a)))
}

// wanted returns what was asked of the gateway for an attempt. One that was made of a ledger's charge has the charge's reference there.
func (p *Payments) wanted(ctx context.Context, a db.Attempt) gateway.Want {
	reference := a.ID.String()
	if e, err := p.queries.LedgerEntryGet(ctx, a.ID); err == nil {
		reference = e.Reference
	}
	return gateway.Want{
		Reference: reference, MerchantID: a.ShopCode, TestMode: a.TestMode, Amount: a.AmountMinor, Currency: a.Currency,
		Wallet: a.Method != state.Card,
	}
}

// askForGood is like ask, and also makes the gateway refuse the payment from now on unless it has already charged it.
func (p *Payments) askForGood(ctx context.Context, a db.Attempt) (Answer, error) {
	answer, err := p.ask(ctx, a)
	at := p.at(a.Gateway)
	if err != nil || at == nil || answer.Charged || answer.Outcome == gateway.Declined { // closed already
		return answer, err
	}
	return p.complete(ctx, a, at.Resolve(ctx, p.wanted(ctx, a)))
}

// complete sets the answer's Owner. If the answer does not name the captured amount, complete takes that from the gateway's ledger.
func (p *Payments) complete(ctx context.Context, a db.Attempt, raw gateway.Answer) (Answer, error) {
	answer := Answer{Answer: raw}
	var err error
	if id := cmp.Or(raw.TransactionID, *cmp.Or(a.Transactionid, new(string))); id != "" {
		answer.Owner, err = p.queries.CaptureOwner(ctx, id, a.ID)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return answer, err
		}
	}
	if raw.Charged && raw.Amount == 0 && (raw.Named != "" || cmp.Or(raw.Currency, a.Currency) != a.Currency) {
		if captured := p.lookUp(ctx, a); captured.AmountMinor != 0 {
			answer.Amount, answer.Currency, answer.InLedger = captured.AmountMinor, captured.Currency, true
		}
	}
	return answer, nil
}

// lookUp reads the gateway's ledger for an attempt, and returns how much was captured and how much of that was refunded. Both are zero if
// the ledger lists nothing or cannot be read.
func (p *Payments) lookUp(ctx context.Context, a db.Attempt) db.CaptureListedRow {
	err := p.readLedger(ctx, a.Gateway, a.CreatedAt)
	if err != nil {
		p.log.WarnContext(ctx, "looking up a capture failed", "attempt", a.ID, "error", err)
		return db.CaptureListedRow{}
	}
	captured, err := p.queries.CaptureListed(ctx, a.ID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		p.log.WarnContext(ctx, "looking up a capture failed", "attempt", a.ID, "error", err)
	}
	return captured
}

// readLedger reads what a gateway lists from a day before since until now. Errors: ErrElsewhere.
func (p *Payments) readLedger(ctx context.Context, gateway *string, since time.Time) error {
	at := p.at(gateway)
	if at == nil {
		return ErrElsewhere
	}
	return p.ledger.Read(ctx, at.ID(), since.Add(-slack), time.Now().Add(slack))
}
