package payment

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

// Limits against card testing. Only live payments count, except that a transaction in test mode may be declined twenty times as often. Each
// counts as declined from just before it is sent until it is approved or proven not charged. A limit of 0 stands for that of DefaultLimits.
// The tags are those of the settings.
type Limits struct {
	Transaction int `default:"5" help:"declines per hour of one live transaction"`
	Card        int `default:"3" help:"declines per hour of one card from one network"`
	// Address is how many declines one network may have while more than half of its payments are declined. It is at least
	// MinAddressLimit, because the guests of a café share one.
	Address int `default:"30" min:"30"`
	// Merchant is how many declines a business may have while more than half of its payments are declined, before
	// addresses that had a decline there have to wait.
	Merchant int `default:"30"`
}

// DefaultLimits are the limits unless LIMITS says otherwise.
var DefaultLimits = Limits{Transaction: 5, Card: 3, Address: MinAddressLimit, Merchant: 30}

// LimitWindow is how long a decline counts against the limits.
const LimitWindow = time.Hour

// MinAddressLimit is the smallest allowed limit for a network alone.
const MinAddressLimit = 30

func (l Limits) transaction() int { return cmp.Or(l.Transaction, DefaultLimits.Transaction) }
func (l Limits) card() int        { return cmp.Or(l.Card, DefaultLimits.Card) }
func (l Limits) address() int     { return max(l.Address, MinAddressLimit) }
func (l Limits) merchant() int    { return cmp.Or(l.Merchant, DefaultLimits.Merchant) }

// LimitError means that this payer has to wait. Others are not affected.
type LimitError struct {
	After    time.Duration // until it is worth trying again
	Checking bool          // too many tries are still under way, rather than declined
	Card     bool          // it is about this card alone: another one may be tried at once
}

func (e *LimitError) Error() string { return fmt.Sprintf("too many declines, wait %s", e.After) }

// Unwrap makes it fault.TooMany.
func (e *LimitError) Unwrap() error { return fault.New(fault.TooMany, "too many declines") }

const (
	// noCard stands for the card of a wallet, whose number is not known here.
	noCard = -1
	// cardBits is how many bits of a card's hash are kept. With so many, two cards of one address are rarely taken for one; with so few,
	// about a hundred of the hundred thousand numbers that fit an attempt's digits also fit its hash.
	cardBits = 10
)

// count counts an attempt against the limits before it is claimed, if its transaction is free and live. refused means that a limit is
// reached. If the attempt is not made after all, uncount has to undo the count.
func (p *Payments) count(
	ctx context.Context, claim db.AttemptClaimParams, number card.Number, from netip.Addr,
) (tally db.LimitCountParams, refused bool, err error) {
	key, counts, err := p.keyOfTheDay(ctx, claim.TransactionID, claim.ShopCode)
	if err != nil {
		return tally, false, err
	}
	tally = db.LimitCountParams{
		ID: claim.ID, ShopCode: claim.ShopCode,
		Address: keyed(key, "address:"+throttle.Network(from).String()), Card: noCard, LimitWindow: LimitWindow,
		CardLimit: int32(p.cfg.Limits.card()), AddressLimit: int32(p.cfg.Limits.address()), //nolint:gosec // settings
		MerchantLimit: int64(p.cfg.Limits.merchant()),
	}
	if !number.IsZero() {
		tally.Card = int16(binary.BigEndian.Uint16(keyed(key, "card:"+number.Reveal())) >> (16 - cardBits)) // ten bits
	}
	if !counts {
		return tally, false, nil
	}
	rows, err := p.queries.LimitCount(ctx, tally)
	return tally, err == nil && rows == 0, err
}

// uncount makes what an attempt counts against the limits agree with its state. It uses a separate transaction, because the limits lock a
// row for each address and that lock must not wait for a disk. If it fails, upkeep repairs the count within minutes.
func (p *Payments) uncount(ctx context.Context, attempt uuid.UUID, trx string) {
	if err := p.queries.LimitSettle(context.WithoutCancel(ctx), attempt, trx); err != nil {
		p.log.WarnContext(ctx, "settling the limits of a payment failed", "attempt", attempt, "error", err)
	}
}

// keyOfTheDay returns a key that no backup contains and that is deleted after its day, so that its hashes reveal nothing afterwards. counts
// reports whether a try to pay the transaction counts, which it does if the transaction is free and live.
func (p *Payments) keyOfTheDay(ctx context.Context, trx, shop string) (key []byte, counts bool, err error) {
	for range 3 {
		row, err := p.queries.LimitKeyGet(ctx, trx, shop)
		if err == nil || !errors.Is(err, pgx.ErrNoRows) {
			return row.Secret, row.Counts, err
		}
		var fresh [sha256.Size]byte
		_, _ = rand.Read(fresh[:]) // never fails
		if err := p.queries.LimitKeyMake(ctx, fresh[:]); err != nil {
			return nil, false, err
		}
	}
	return nil, false, fault.New(fault.Unavailable, "no key for the limits")
}

func keyed(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// explainLimit returns the limit that kept a claim from a free transaction, nil if none did.
func (p *Payments) explainLimit(ctx context.Context, claim db.AttemptClaimParams, tally db.LimitCountParams) error {
	l, err := p.queries.LimitGet(ctx, db.LimitGetParams{
		Card: tally.Card, Address: tally.Address, TransactionID: claim.TransactionID, ShopCode: claim.ShopCode, LimitWindow: LimitWindow,
	})
	if err != nil {
		return err
	}
	// Open payments may be approved in a moment.
	later, soon := seconds(l.WaitSeconds), p.cfg.Timeout
	counted := l.Open + l.Declined
	switch {
	case l.ByTransaction >= claim.TransactionLimit:
		return &LimitError{After: max(seconds(l.TransactionWaitSeconds), time.Minute)}
	case tally.Card != noCard && l.ByCard-l.ByCardOpen >= tally.CardLimit:
		return &LimitError{After: max(later, time.Minute), Card: true}
	case tally.Card != noCard && l.ByCard >= tally.CardLimit:
		return &LimitError{After: soon, Checking: true}
	case l.Declined >= tally.AddressLimit && counted > l.Approved:
		return &LimitError{After: max(later, time.Minute)}
	case counted >= tally.AddressLimit && counted > l.Approved:
		return &LimitError{After: soon, Checking: true}
	case l.DeclinedHere:
		return &LimitError{After: max(later, time.Minute)}
	}
	return nil
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
