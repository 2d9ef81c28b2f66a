package privacy

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

var (
	// ErrMoving means that a payment, a refund or a dispute of the transaction is under way. The payer has to be told the outcome.
	ErrMoving = fault.New(fault.Conflict, "a payment, refund or dispute is still under way: erase the payer when it is done")
	// ErrMaking means that a kitchen lists the order. It needs the table and the notes until the order is made, for a day at most.
	ErrMaking = fault.New(fault.Conflict, "the kitchen has not made the order yet: erase the payer later, or a day after the payment")
	// ErrLink means that a mailed link is wrong or no longer works.
	ErrLink = fault.New(fault.Gone, "no such link")
)

// LetterPayer asks the payer of a receipt to confirm the erasure; its data is PayerLetter.
const LetterPayer = "erase payer"

// ConfirmFor is how long the link in LetterPayer works.
const ConfirmFor = 2 * 24 * time.Hour

// PayerLetter is the data of LetterPayer.
type PayerLetter struct {
	Ask         uuid.UUID    `json:"ask"`
	Transaction string       `json:"transaction"`
	Role        receipt.Role `json:"role"`
}

// The limits on requests, so that nobody can fill a mailbox.
var (
	ofPayer   = throttle.Limit{Subject: "erasure of payer", Most: 3, Window: 24 * time.Hour}
	byNetwork = throttle.Limit{Subject: "erasure by network", Most: 20, Window: time.Hour}
)

// AskPayer mails a link with which the payer of a receipt confirms the erasure. Anybody with the receipt's link may ask. Only somebody who
// reads mail to an address that was left at the payment can confirm. Errors: receipt.ErrMissing, receipt.ErrNobody, ErrMoving,
// *throttle.Error.
func (p *Privacy) AskPayer(ctx context.Context, token string, role receipt.Role, from netip.Addr) error {
	found, err := p.receipts.Find(ctx, token)
	if err != nil {
		return err
	}
	for _, to := range found.Payers() {
		if to.Role == role {
			return p.askPayer(ctx, found, to, from)
		}
	}
	return receipt.ErrNobody
}

func (p *Privacy) askPayer(ctx context.Context, found receipt.Receipt, to receipt.Recipient, from netip.Addr) error {
	counts := []throttle.Count{
		{Limit: byNetwork, What: throttle.Network(from).String()}, {Limit: ofPayer, What: found.TransactionID},
		{Limit: mail.ToAddress, What: mail.Mailbox(found.Shop.Code, to.Address)},
	}
	if err := p.throttle.TakeAll(ctx, counts); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries, id := db.New(tx), uuid.New()
		row, err := queries.ErasurePayerLock(ctx, found.TransactionID)
		if err != nil {
			return err
		}
		if row.Moving {
			return ErrMoving
		}
		if err := queries.ErasureAskPayer(ctx, id, &found.TransactionID); err != nil {
			return err
		}
		return p.mail.Add(ctx, tx, mail.Request{
			Kind: LetterPayer, Key: LetterPayer + "/" + id.String(), Data: PayerLetter{Ask: id, Transaction: found.TransactionID, Role: to.Role},
		})
	})
	if err != nil {
		return errors.Join(err, p.throttle.GiveBack(context.WithoutCancel(ctx), counts))
	}
	return nil
}

// NewPayerToken gives a payer's request the token of its link. It returns pgx.ErrNoRows if the request was confirmed or deleted.
func NewPayerToken(ctx context.Context, queries *db.Queries, ask uuid.UUID) (secret.Text, error) {
	token := rand.Text()
	_, err := queries.ErasureAskSign(ctx, hash(token), ask)
	return secret.New(token), err
}

func hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// Asked is the request that a mailed link confirms.
type Asked struct {
	Business  string
	Receipt   string // its token
	Confirmed bool   // the erasure is queued
	ask       uuid.UUID
}

// FindPayer returns the request that a mailed link confirms. Errors: ErrLink.
func (p *Privacy) FindPayer(ctx context.Context, token string) (Asked, error) {
	row, err := p.queries.ErasureAskFind(ctx, hash(token), ConfirmFor)
	if errors.Is(err, pgx.ErrNoRows) {
		return Asked{}, ErrLink
	}
	return Asked{Business: row.Business, Receipt: row.Token, Confirmed: row.Confirmed, ask: row.ID}, err
}

// ConfirmPayer queues the erasure that a mailed link confirms. Errors: ErrLink.
func (p *Privacy) ConfirmPayer(ctx context.Context, token string) (Asked, error) {
	asked, err := p.FindPayer(ctx, token)
	if err != nil {
		return asked, err
	}
	return asked, pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		confirmed, err := db.New(tx).ErasureAskConfirm(ctx, asked.ask)
		if err != nil || confirmed == 0 {
			return err
		}
		_, err = p.client.InsertTx(ctx, tx, dueJob{}, nil)
		return err
	})
}

// CopyPayer returns, as JSON, what the tables hold about the payment of a request that a mailed link confirms: its rows by table. Where
// only one address was left, which the link then went to, it has the letters to that address, too. Errors: ErrLink.
func (p *Privacy) CopyPayer(ctx context.Context, token string) (file []byte, err error) {
	asked, err := p.FindPayer(ctx, token)
	if err != nil {
		return nil, err
	}
	found, err := p.receipts.Find(ctx, asked.Receipt)
	if err != nil {
		return nil, err
	}
	args, whole := pgx.NamedArgs{"transaction": found.TransactionID}, map[string]json.RawMessage{}
	if payers := found.Payers(); len(payers) == 1 {
		args["email"] = strings.ToLower(payers[0].Address)
	}
	err = p.inSnapshot(ctx, func(ctx context.Context, tx pgx.Tx) error {
		for _, t := range tables {
			columns, where := t.shows, t.paid
			if t.name == "mail" && args["email"] != nil {
				columns, where = t.sent, t.found
			}
			switch {
			case columns == "":
				continue
			case t.name == "attempt":
				where += " AND state = 'approved'" // somebody else may have tried before
			}
			var rows string
			query := fmt.Sprintf("SELECT coalesce(jsonb_agg(to_jsonb(x)), '[]')::text FROM (SELECT %s FROM %s WHERE %s) x", columns, t.name, where)
			if err := tx.QueryRow(ctx, query, args).Scan(&rows); err != nil {
				return err
			}
			whole[t.name] = json.RawMessage(rows)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(whole, "", "  ")
}

// Transaction finds the transaction of a receipt's token, or one by its id. Errors: receipt.ErrMissing.
func (p *Privacy) Transaction(ctx context.Context, named string) (string, error) {
	id, err := p.queries.ErasureTransactionOf(ctx, named)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", receipt.ErrMissing
	}
	return id, err
}

// ErasePayer removes the payer from a transaction at once. Errors: receipt.ErrMissing, ErrMoving, ErrMaking.
func (p *Privacy) ErasePayer(ctx context.Context, transaction string) error {
	return p.erase(ctx, "payer "+transaction, func(ctx context.Context, tx pgx.Tx) error {
		row, err := db.New(tx).ErasurePayerLock(ctx, transaction)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return receipt.ErrMissing
		case err != nil:
			return err
		case row.Moving:
			return ErrMoving
		case row.Making:
			return ErrMaking
		}
		return emptyPayer(ctx, tx, transaction)
	})
}

func emptyPayer(ctx context.Context, tx pgx.Tx, transaction string) error {
	queries := db.New(tx)
	names, err := queries.ErasurePayerNames(ctx, transaction)
	if err != nil {
		return err
	}
	subjects, err := queries.ErasurePayerSubjects(ctx, transaction)
	if err != nil {
		return err
	}
	s := statements{tx: tx, args: pgx.NamedArgs{"transaction": transaction, "subjects": subjects, "names": names}}
	for _, name := range names {
		s.args["what"] = name
		for _, t := range tables {
			s.unname(ctx, t)
		}
		if err := errors.Join(s.err, queries.ErasureAudit(ctx, name, "erased", subjects)); err != nil {
			return err
		}
	}
	for _, t := range tables {
		if t.paid != "" {
			s.clear(ctx, t.name, t.paid, t.empty)
		}
	}
	// A job that has not sent its letter yet writes it again, without the payer, if the job itself names no address.
	s.run(ctx, "DELETE FROM mail WHERE EXISTS (SELECT FROM unnest(@subjects::text[]) s WHERE position(s IN key) > 0)")
	s.run(ctx, `DELETE FROM river_job j WHERE j.kind = 'mail' AND j.state <> 'running'
		AND EXISTS (SELECT FROM unnest(@subjects::text[]) s WHERE position(s IN j.args::text) > 0)
		AND (j.finalized_at IS NOT NULL OR EXISTS (SELECT FROM unnest(@names::text[]) n WHERE position(lower(n) IN lower(j.args::text)) > 0))`)
	return errors.Join(s.err, queries.AuditAdd(ctx, db.AuditAddParams{Actor: "forecourt", Action: "payer erased", Subject: transaction}))
}

// unname removes a name of a payer, @what, from the texts about their payment.
func (s *statements) unname(ctx context.Context, t table) {
	for _, column := range columns(t.texts) {
		if t.paid != "" {
			s.run(ctx, "UPDATE %s SET %s = erase_words(%s, @what, 'erased') WHERE %s AND position(lower(@what) IN lower(%s)) > 0",
				t.name, column, column, t.paid, column)
		}
	}
}
