package receipt

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// ErrNobody means that a receipt cannot be sent again in a role: the customer left no address.
var ErrNobody = fault.New(fault.Invalid, "There is no address to send this receipt to.")

// The limits on sending again, so that nobody can fill a mailbox.
var (
	ofReceipt = throttle.Limit{Subject: "receipt again", Most: 3, Window: time.Hour}
	byAddress = throttle.Limit{Subject: "receipt by address", Most: 20, Window: time.Hour}
)

// Receipts finds receipts by their token and sends them again.
type Receipts struct {
	*Signer
	box *secret.Box // seals the public keys of signatures that stay valid

	pool    *pgxpool.Pool
	queries *db.Queries
	queue   *mail.Queue
	limits  *throttle.Throttle
}

// New returns Receipts that reads through pool and queues letters in queue. box seals the public keys of previous secrets; limitKeys hash
// the addresses and tokens that limits count by.
func New(pool *pgxpool.Pool, queue *mail.Queue, signer *Signer, box *secret.Box, limitKeys secret.Key) *Receipts {
	queries := db.New(pool)
	return &Receipts{Signer: signer, box: box, pool: pool, queries: queries, queue: queue, limits: throttle.New(queries, limitKeys)}
}

// Find returns the receipt of a token. Errors: ErrMissing.
func (r *Receipts) Find(ctx context.Context, token string) (Receipt, error) {
	transaction, err := r.queries.ReceiptByToken(ctx, token)
	if errors.Is(err, pgx.ErrNoRows) {
		return Receipt{}, ErrMissing
	}
	if err != nil {
		return Receipt{}, err
	}
	return Read(ctx, r.queries, transaction)
}

// Zone returns the time zone of the business that a transaction's receipt is of; UTC if there is no such receipt.
func (r *Receipts) Zone(ctx context.Context, transaction string) (*time.Location, error) {
	name, err := r.queries.ReceiptZone(ctx, transaction)
	if errors.Is(err, pgx.ErrNoRows) {
		return time.UTC, nil
	}
	return clock.Zone(name), err
}

// Customers lists the people to whom the holder of a receipt's token can send it again: the customers, never the business.
func (r Receipt) Customers() []Recipient {
	var all []Recipient
	for _, to := range r.Recipients() {
		if to.Role != Merchant {
			all = append(all, to)
		}
	}
	return all
}

// Payers lists the customers whose addresses were left when the payment was made. It leaves out an address that was named on the receipt's
// page, because anybody with the token may have named their own.
func (r Receipt) Payers() []Recipient {
	if r.payer.Typed == "" && r.payer.Consumer == "" {
		return nil
	}
	return r.Customers()
}

// SendAgain orders another letter to a customer of the receipt, at most one a minute. from is the caller's address. Errors:
// ErrMissing, ErrNobody, *throttle.Error.
func (r *Receipts) SendAgain(ctx context.Context, token string, role Role, from netip.Addr) error {
	found, err := r.Find(ctx, token)
	if err != nil {
		return err
	}
	for _, to := range found.Customers() {
		if to.Role != role {
			continue
		}
		return r.order(ctx, found, to, from, "/"+time.Now().UTC().Format("2006-01-02T15:04"), func(pgx.Tx) error { return nil },
			throttle.Count{Limit: ofReceipt, What: found.TransactionID})
	}
	return ErrNobody
}

// order counts what the receipt's page asks for, and queues the letter in the transaction in which first succeeds.
func (r *Receipts) order(
	ctx context.Context, found Receipt, to Recipient, from netip.Addr, suffix string, first func(pgx.Tx) error, counts ...throttle.Count,
) error {
	counts = append([]throttle.Count{{Limit: byAddress, What: throttle.Network(from).String()}}, append(
		counts, throttle.Count{Limit: mail.ToAddress, What: mail.Mailbox(found.Shop.Code, to.Address)})...)
	if err := r.limits.TakeAll(ctx, counts); err != nil {
		return err
	}
	order := letter(found.TransactionID, to.Role, suffix)
	order.Data = LetterData{Transaction: found.TransactionID, Role: to.Role, Again: true}
	err := pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		if err := first(tx); err != nil {
			return err
		}
		return r.queue.Add(ctx, tx, order)
	})
	if err != nil {
		return errors.Join(err, r.limits.GiveBack(context.WithoutCancel(ctx), counts))
	}
	return nil
}
