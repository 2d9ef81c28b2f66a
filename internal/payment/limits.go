package payment

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/origin"
)

// Limits against card testing. Only declines of live payments count; 0 takes the default.
type Limits struct {
	Transaction int // declines of one transaction; 5
	Card        int // declines an hour of one card from one address; 3
	Address     int // declines an hour from one address: a café's guests share one, so at least 30; 30
	// Merchant is how many declines an hour a business may have while more than half of its payments are declined, before
	// addresses that had a decline there have to wait; 30.
	Merchant int
}

// MinAddressLimit is the least that a limit by address alone may be.
const MinAddressLimit = 30

// LimitError is a payer who has to wait. Others are not affected.
type LimitError struct {
	After time.Duration // until it is worth trying again
	Never bool          // not with this transaction: another order has to be made
}

func (e *LimitError) Error() string { return fmt.Sprintf("too many declines, wait %s", e.After) }

// Unwrap makes it fault.TooMany.
func (e *LimitError) Unwrap() error { return fault.New(fault.TooMany, "too many declines") }

// hash returns what a card and an address are counted by.
func (p *Payments) hash(c Card) (card, address []byte) {
	return p.keyed("card:" + c.Number.Reveal()), p.hashAddress(c.From)
}

func (p *Payments) hashAddress(from netip.Addr) []byte {
	return p.keyed("address:" + origin.Network(from).String())
}

func (p *Payments) keyed(text string) []byte {
	mac := hmac.New(sha256.New, p.cfg.HashKey)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func (p *Payments) checkLimits(ctx context.Context, client, id string, card, address []byte) error {
	limits := p.cfg.Limits
	merchant := cmp.Or(limits.Merchant, 30)
	f, err := p.queries.AttemptFailures(ctx, db.AttemptFailuresParams{
		TransactionID: id, ClientCode: client, CardHash: card, AddressHash: address,
		MerchantLimit: int64(merchant),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // in test mode, or no such transaction: the claim will tell
	}
	if err != nil {
		return err
	}
	wait := &LimitError{After: max(time.Duration(f.WaitSeconds*float64(time.Second)), time.Minute)}
	testing := int(f.MerchantDeclined) >= merchant && 2*f.MerchantDeclined > f.MerchantSettled
	switch {
	case int(f.ByTransaction) >= cmp.Or(limits.Transaction, 5):
		return &LimitError{Never: true, After: 2 * time.Hour}
	case int(f.ByCard) >= cmp.Or(limits.Card, 3),
		int(f.ByAddress) >= max(cmp.Or(limits.Address, MinAddressLimit), MinAddressLimit),
		testing && f.ByAddressHere > 0:
		return wait
	}
	return nil
}
