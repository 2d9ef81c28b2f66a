package books

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/shop/shop"
)

// Payment is a payment as the desk lists it. Amounts are in minor units of Currency.
type Payment struct {
	ID          string // of the transaction
	State       PaymentState
	Amount      int64 // that was taken or asked for
	Refunded    int64
	Currency    string
	Method      state.Method
	Brand       string // of the card, as package card names it
	LastFour    string
	Payer       string // who paid, as typed on the payment page
	Guest       string // whose order it is
	Table       string
	No          *int32 // of the order, in the shop's day; nil for none
	Link        bool   // a pay link, not an order
	Reference   string
	Description string
	Test        bool
	At          time.Time // when somebody last tried to pay, in the shop's zone
}

// PaymentState is the state of a payment.
type PaymentState string

// The states.
const (
	PaymentPaid     PaymentState = "paid"     // money moved
	PaymentPart     PaymentState = "part"     // some of it was refunded
	PaymentBack     PaymentState = "back"     // all of it was refunded
	PaymentDeclined PaymentState = "declined" // the bank declined it, or never heard of it
	PaymentOpen     PaymentState = "open"     // the outcome is not known yet
	PaymentManual   PaymentState = "manual"   // staff are finding out what became of it
	PaymentDisputed PaymentState = "disputed" // the bank holds or has taken the money
	PaymentNew      PaymentState = "new"      // nobody has tried to pay
)

// Paid reports whether money moved, even if it went back since.
func (s PaymentState) Paid() bool {
	return s == PaymentPaid || s == PaymentPart || s == PaymentBack || s == PaymentDisputed
}

// paymentState returns the state of a payment of an amount from that of its last attempt. disputed is the state of its dispute, "" for
// none.
func paymentState(attempt state.Attempt, disputed state.Dispute, refunded, amount int64) PaymentState {
	switch attempt {
	case "":
		return PaymentNew
	case state.AttemptApproved:
	case state.AttemptDeclined, state.AttemptNotCharged:
		return PaymentDeclined
	case state.AttemptManual:
		return PaymentManual
	default:
		return PaymentOpen
	}
	switch {
	case disputed == state.DisputeOpened, disputed == state.DisputeLost:
		return PaymentDisputed
	case refunded >= amount:
		return PaymentBack
	case refunded > 0:
		return PaymentPart
	}
	return PaymentPaid
}

// The kinds of payments that a list can show.
const (
	AllPayments      = ""
	PaidPayments     = "paid" // also those that were refunded in part
	RefundedPayments = "refunded"
	DeclinedPayments = "declined"
	OpenPayments     = "open" // without an outcome
	DisputedPayments = "disputed"
)

// PaymentFilter selects the payments of a list. The zero value selects all real payments.
type PaymentFilter struct {
	Show      string // one of AllPayments, PaidPayments, …
	Test      bool   // test payments
	Amount    int64  // in minor units; 0 for any
	Number    int32  // of an order of today, beside those of the amount; 0 for none
	LastFour  string // of the card
	Name      string // part of who paid or whose order it is
	Table     string
	Reference string // of the business, our id or the gateway's
	Method    state.Method
	Since     time.Time // the zero time is the beginning
	Before    time.Time // the zero time is now
}

// ErrMissing means that the shop has no such payment.
var ErrMissing = fault.New(fault.NotFound, "no such payment of this shop")

// Case is one payment with everything that happened to it.
type Case struct {
	Payment
	Captured   int64 // minor units; 0 unless it is paid
	Lost, Kept int64 // to banks, and what is left of it after refunds; Kept is negative if more went back than was paid
	Reserved   int64 // refunded, including refunds that are not decided yet
	GatewayID  string
	Receipt    string       // the token of its receipt; "" for none
	Mailbox    string       // of the payer; "" for none
	Closed     bool         // a restore has closed it
	InQuestion bool         // the gateway's ledger and our books differ about it
	Undecided  bool         // a refund is not decided yet
	Ask        db.RefundAsk // the refund that an owner was asked for; without a transaction there is none
	Lines      []PaidLine
	Timeline   []Event // the oldest first
	Unfinished bool    // it may change by itself
}

// Left is how much can still be refunded, in minor units.
func (c Case) Left() int64 { return c.Captured - c.Reserved - c.Lost }

// BankHolds reports whether a bank holds the money of a payment, or has taken all that was left of it.
func (c Case) BankHolds() bool { return c.State == PaymentDisputed && (c.Lost == 0 || c.Left() <= 0) }

// PaidLine is a line of an order that was paid.
type PaidLine struct {
	No, Qty  int
	Refunded int // of Qty
	Asked    int // of Qty, by a refund that is not decided yet
	Status   state.Line
	Name     string
	Options  string // the names of what was chosen with it: "Large, Oat milk"
	Note     string
	Each     int64 // minor units, with its options
}

// Counted is how many there are, before the name: "2 × "; "" for a surcharge or a tip.
func (l PaidLine) Counted() string {
	if l.Status == state.LineExtra {
		return ""
	}
	return strconv.Itoa(l.Qty) + " × "
}

// Left is how many can still be refunded.
func (l PaidLine) Left() int { return l.Qty - l.Refunded - l.Asked }

// Payment returns a payment of a shop. Its timeline has only the refunds. Errors: ErrMissing, also for another shop's.
func (b *Books) Payment(ctx context.Context, one shop.Shop, id string) (Case, error) {
	s, err := b.begin(ctx, one, id)
	if err != nil {
		return Case{}, err
	}
	s.addRefunds()
	return s.Case, nil
}

// begin reads a payment with its lines and refunds.
func (b *Books) begin(ctx context.Context, one shop.Shop, id string) (s story, err error) {
	if !printable.Line(id, 64) {
		return s, ErrMissing
	}
	row, err := b.queries.DeskPaymentGet(ctx, id, one.Code)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, ErrMissing
	}
	if err != nil {
		return s, err
	}
	p := row.Transaction
	s = story{row: row, zone: one.Zone(), Case: Case{
		Payment: Payment{
			ID: p.ID, Amount: row.Position.Amount(), Refunded: row.Position.RefundedMinor, Currency: p.Currency, Method: state.Method(row.Method),
			Brand: row.CardBrand, LastFour: row.CardLastFour, Payer: row.PayerName, Guest: p.CustomerName, Table: p.TableName,
			No: p.OrderNo, Link: p.Kind == state.LinkKind, Reference: p.ClientRef, Description: p.Description, Test: p.TestMode,
			At: p.CreatedAt.In(one.Zone()),
		},
		Reserved: p.RefundedMinor, GatewayID: p.Transactionid, Receipt: row.ReceiptToken,
		Mailbox: receipt.Mailbox(db.Payer{Typed: row.TypedMail, Consumer: row.ConsumerMail, Asked: row.AskedMail}),
		Closed:  row.Closed, InQuestion: row.InQuestion, Captured: row.Position.CapturedMinor, Lost: row.Position.LostMinor,
		Kept: row.Position.KeptMinor,
	}}
	if s.Ask, err = b.queries.RefundAskGet(ctx, id, one.Code); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return s, err
	}
	s.State = paymentState(state.Attempt(row.State), state.Dispute(row.Dispute), s.Refunded, s.Captured)
	if s.InQuestion && s.Captured == 0 {
		s.State = PaymentManual
	}
	lines, err := b.queries.DeskLineList(ctx, id, one.Code)
	if err != nil {
		return s, err
	}
	for _, l := range lines {
		s.Lines = append(s.Lines, PaidLine{
			No: int(l.LineNo), Qty: int(l.Qty), Refunded: int(l.RefundedQty), Asked: int(l.AskedQty), Status: l.Status, Name: l.Name,
			Options: db.OptionNames(l.Options), Note: l.Note, Each: l.PriceMinor,
		})
	}
	s.refunds, err = b.queries.DeskRefundList(ctx, id, one.Code)
	return s, err
}
