package privacy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/mail"
	"forecourt/internal/shop"
)

// statementFor is how long a statement of an erasure or of a copy may take, which is more than one of a request.
const statementFor = 2 * time.Minute

// ErrNobody means that there is no such account, or that it was erased.
var ErrNobody = fault.New(fault.NotFound, "no such account")

// reapply repeats an erasure from a list. It skips every check and tells nobody, because the erasure was done before.
func (p *Privacy) reapply(ctx context.Context, e Entry) error {
	kind, id, _ := strings.Cut(e.Subject, " ")
	if kind == "payer" {
		return p.erasePayer(ctx, id, true, e.At)
	}
	account, err := uuid.Parse(id)
	if err != nil {
		return err
	}
	err = p.eraseAccount(ctx, account, true, e.At)
	if errors.Is(err, ErrNobody) { // the account is newer than the backup
		return p.record(ctx, p.queries, e)
	}
	return err
}

// record notes an erasure in the database and in the file. It is called before the commit, so that a kill in between leaves one entry too
// many in the file, never one too few.
func (p *Privacy) record(ctx context.Context, queries *db.Queries, e Entry) error {
	return errors.Join(queries.ErasureAdd(ctx, e.Subject, e.At), p.list.add(e))
}

// EraseAccount erases an account at once and tells its owner in a last letter. Errors: ErrNobody, *HeldError.
func (p *Privacy) EraseAccount(ctx context.Context, id uuid.UUID) error {
	return p.eraseAccount(ctx, id, false, time.Now())
}

// eraseAccount erases an account in one transaction. With again it skips the letter and the checks.
func (p *Privacy) eraseAccount(ctx context.Context, id uuid.UUID, again bool, at time.Time) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		ctx, err := db.Patient(ctx, tx, statementFor)
		if err != nil {
			return err
		}
		if !again { // locks shops before the account, as everywhere
			if err := lockShops(ctx, queries, id); err != nil {
				return err
			}
		}
		person, err := queries.ErasureAccountLock(ctx, id)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && person.ErasedAt != nil && !again {
			return ErrNobody
		}
		if err != nil {
			return err
		}
		if !again {
			if err := held(ctx, queries, person); err != nil {
				return err
			}
		}
		if person.ErasedAt == nil {
			if err := p.emptyAccount(ctx, tx, person); err != nil {
				return err
			}
			if !again {
				err := p.mail.Add(ctx, tx, mail.Request{Kind: LetterErased, Key: LetterErased + "/" + id.String(), Data: LastLetter{To: person.Email}})
				if err != nil {
					return err
				}
			}
		}
		return p.record(ctx, queries, Entry{Subject: "account " + id.String(), At: at})
	})
}

func lockShops(ctx context.Context, queries *db.Queries, id uuid.UUID) error {
	shops, err := queries.ErasureShops(ctx, id)
	if err != nil {
		return err
	}
	slices.SortFunc(shops, func(a, b db.ErasureShopsRow) int { return strings.Compare(a.Code, b.Code) })
	for _, one := range shops {
		if _, err := queries.ShopLock(ctx, one.Code); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
	}
	return nil
}

// pseudonym returns the text that replaces the address of an account. It only tells erased people apart.
func pseudonym(id uuid.UUID) string { return "erased-" + id.String()[24:] }

// emptyAccount deletes the data that belongs to the person alone, and removes the person from everything else. If nobody confirmed the
// address, data that is found only by the address stays, and so do other people's texts that name it, because anybody can sign up with
// somebody else's address.
func (p *Privacy) emptyAccount(ctx context.Context, tx pgx.Tx, person db.ErasureAccountLockRow) error {
	queries, id, instead := db.New(tx), person.ID, pseudonym(person.ID)
	codes, err := leaveShops(ctx, queries, person)
	if err != nil {
		return err
	}
	for _, work := range []func() error{
		func() error { return dropReceiptMails(ctx, tx, person.Email, codes) },
		func() error { return queries.ErasureMerchantEmpty(ctx, id) },
		func() error { return queries.ErasureFormDrop(ctx, id) },
		func() error { return queries.ErasureScreenUnlink(ctx, id) },
		func() error { return replaceIn(ctx, tx, person) },
		func() error { return emptyAudit(ctx, queries, person) },
		func() error { return emptyAddress(ctx, tx, person) },
		func() error { return dropRows(ctx, tx, id) },
		func() error { return queries.ErasureAccountEmpty(ctx, instead+"@erased.invalid", id) },
		func() error { _, err := queries.ErasureAskDrop(ctx, id); return err },
		func() error {
			return queries.AuditAdd(ctx, db.AuditAddParams{Actor: instead, Action: "account erased", Subject: "account " + id.String()})
		},
	} {
		if err := work(); err != nil {
			return err
		}
	}
	return nil
}

// emptyAudit removes the address of an account from the audit log, or from the account's own lines if nobody confirmed it.
func emptyAudit(ctx context.Context, queries *db.Queries, person db.ErasureAccountLockRow) error {
	if person.Verified {
		return queries.ErasureAudit(ctx, person.Email, pseudonym(person.ID), nil)
	}
	return queries.ErasureAuditOwn(ctx, person.Email, pseudonym(person.ID), "account "+person.ID.String())
}

// emptyAddress removes the data that is found only by the address, if the account confirmed the address.
func emptyAddress(ctx context.Context, tx pgx.Tx, person db.ErasureAccountLockRow) error {
	if !person.Verified {
		return nil
	}
	queries, instead := db.New(tx), pseudonym(person.ID)
	return errors.Join(queries.ErasureInvites(ctx, instead+"@erased.invalid", person.Email), queries.ErasureMails(ctx, person.Email, instead),
		dropJobs(ctx, tx, person.Email))
}

// leaveShops takes an account off all teams.
func leaveShops(ctx context.Context, queries *db.Queries, person db.ErasureAccountLockRow) (codes []string, err error) {
	shops, err := queries.ErasureShops(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	codes = make([]string, len(shops))
	for i, one := range shops {
		codes[i] = one.Code
		if one.Role == string(shop.Owner) {
			if err := queries.TeamHandOver(ctx, one.Code, person.ID); err != nil {
				return nil, err
			}
		}
	}
	alone, err := queries.ErasureRecords(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	for _, code := range codes {
		if err := queries.AdminRemove(ctx, code, person.ID, true); err != nil {
			return nil, err
		}
	}
	return codes, errors.Join(queries.ErasureRecordPeople(ctx, alone, person.ID), queries.ErasureShopMail(ctx, person.Email, codes))
}

// dropReceiptMails removes an address from the receipts and pay links of businesses.
func dropReceiptMails(ctx context.Context, tx pgx.Tx, address string, codes []string) error {
	for _, statement := range []string{
		"UPDATE receipt SET merchant_mail = '' WHERE client_code = ANY($1) AND lower(merchant_mail) = $2",
		"UPDATE paylink SET pl_merchant_email = '' WHERE client_code = ANY($1) AND lower(pl_merchant_email) = $2",
	} {
		if _, err := tx.Exec(ctx, statement, codes, address); err != nil {
			return err
		}
	}
	return nil
}

// elsewhere lists the tables that other functions change: the audit log, and the tables about payers.
var elsewhere = []string{"audit", "attempt", "transaction", "discrepancy"}

// replaceIn puts a pseudonym in place of the address of an account, in columns that say who did something and in texts. In texts of other
// people's rows it does so only if the address was confirmed.
func replaceIn(ctx context.Context, tx pgx.Tx, person db.ErasureAccountLockRow) error {
	instead := pseudonym(person.ID)
	for _, t := range tables {
		if slices.Contains(elsewhere, t.Name) {
			continue
		}
		actors := strings.Fields(t.Actor)
		for _, column := range strings.Fields(t.Words) {
			statement := fmt.Sprintf("UPDATE %s SET %s = erase_words(%s, $1, $2) WHERE position($1 IN lower(%s)) > 0", t.Name, column, column, column)
			if !person.Verified {
				statement += " AND $1 IN (" + strings.Join(actors, ", ") + ")"
			}
			if _, err := tx.Exec(ctx, statement, person.Email, instead); err != nil {
				return err
			}
		}
		for _, column := range actors {
			if _, err := tx.Exec(ctx, fmt.Sprintf("UPDATE %s SET %s = $2 WHERE %s = $1", t.Name, column, column), person.Email, instead); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropRows deletes what belongs to an account alone.
func dropRows(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	for _, t := range tables {
		if t.Drop {
			if _, err := tx.Exec(ctx, fmt.Sprintf("DELETE FROM %s WHERE %s = $1", t.Name, t.Account), id); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropJobs deletes the jobs of waiting letters that name an address. A running job is deleted a day after it ends.
func dropJobs(ctx context.Context, tx pgx.Tx, address string) error {
	_, err := tx.Exec(ctx, "DELETE FROM river_job WHERE kind = 'mail' AND state <> 'running' AND position(lower($1) IN lower(args::text)) > 0", address)
	return err
}
