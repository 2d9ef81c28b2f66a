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
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
)

// statementFor is how long a statement of an erasure or of a copy may take, which is more than one of a request.
const statementFor = 2 * time.Minute

// ErrNobody means that there is no such account, or that it was erased.
var ErrNobody = fault.New(fault.NotFound, "no such account")

// AccountID finds an account by its address, or by its id, as the log names erased ones. Errors: ErrNobody.
func (p *Privacy) AccountID(ctx context.Context, named string) (uuid.UUID, error) {
	if id, err := uuid.Parse(named); err == nil {
		return id, nil
	}
	row, err := p.queries.AccountByEmail(ctx, named)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, ErrNobody
	}
	return row.ID, err
}

// EraseAccount erases an account at once and tells its owner in a last letter. Errors: ErrNobody, *HeldError.
func (p *Privacy) EraseAccount(ctx context.Context, id uuid.UUID) error {
	return p.erase(ctx, "account "+id.String(), func(ctx context.Context, tx pgx.Tx) error {
		queries := db.New(tx)
		shops, err := lockShops(ctx, queries, id) // before the account, as everywhere
		if err != nil {
			return err
		}
		person, err := queries.ErasureAccountLock(ctx, id)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && person.ErasedAt != nil {
			return ErrNobody
		}
		if err != nil {
			return err
		}
		if err := held(ctx, queries, id); err != nil {
			return err
		}
		if err := emptyAccount(ctx, tx, person, shops); err != nil {
			return err
		}
		return p.mail.Add(ctx, tx, mail.Request{Kind: LetterErased, Key: LetterErased + "/" + id.String(), Data: LastLetter{To: person.Email}})
	})
}

// erase does an erasure in one transaction, and notes its subject in the database and in the log: after a restore of an older backup the
// operator repeats those of the log.
func (p *Privacy) erase(ctx context.Context, subject string, work func(context.Context, pgx.Tx) error) error {
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		ctx, err := db.Patient(ctx, tx, statementFor)
		if err == nil {
			err = work(ctx, tx)
		}
		if err != nil {
			return err
		}
		return db.New(tx).ErasureAdd(ctx, subject)
	})
	if err == nil {
		p.log.InfoContext(ctx, "erased; repeat it if an older backup is restored", "subject", subject)
	}
	return err
}

func lockShops(ctx context.Context, queries *db.Queries, id uuid.UUID) ([]db.ErasureShopsRow, error) {
	shops, err := queries.ErasureShops(ctx, id)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(shops, func(a, b db.ErasureShopsRow) int { return strings.Compare(a.Code, b.Code) })
	for _, one := range shops {
		if _, err := queries.ShopLock(ctx, one.Code); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return nil, err
		}
	}
	return shops, nil
}

// pseudonym returns the text that replaces the address of an account. It only tells erased people apart.
func pseudonym(id uuid.UUID) string { return "erased-" + id.String()[24:] }

// emptyAccount deletes the data that belongs to the person alone, and removes the person from everything else. If nobody confirmed the
// address, data that is found only by the address stays, and so do other people's texts that name it, because anybody can sign up with
// somebody else's address.
func emptyAccount(ctx context.Context, tx pgx.Tx, person db.ErasureAccountLockRow, shops []db.ErasureShopsRow) error {
	queries, id, instead := db.New(tx), person.ID, pseudonym(person.ID)
	for _, one := range shops {
		if one.Role == string(shop.Owner) {
			if err := queries.TeamHandOver(ctx, one.Code, id); err != nil {
				return err
			}
		}
	}
	s := statements{tx: tx, args: pgx.NamedArgs{"id": id, "email": person.Email, "instead": instead}}
	for _, t := range tables { // while the account is still on its teams
		if t.mine != "" {
			s.clear(ctx, t.name, t.mine, t.blank)
		}
	}
	if s.err != nil {
		return s.err
	}
	for _, one := range shops {
		if err := queries.AdminRemove(ctx, one.Code, id, true); err != nil {
			return err
		}
	}
	for _, t := range tables {
		s.forget(ctx, t, person.Verified)
	}
	return errors.Join(s.err, emptyAudit(ctx, queries, person), queries.ErasureAccountEmpty(ctx, instead+"@erased.invalid", id),
		queries.AuditAdd(ctx, db.AuditAddParams{Actor: instead, Action: "account erased", Subject: "account " + id.String()}))
}

// emptyAudit removes the address of an account from the audit log, or from the account's own lines if nobody confirmed it.
func emptyAudit(ctx context.Context, queries *db.Queries, person db.ErasureAccountLockRow) error {
	if person.Verified {
		return queries.ErasureAudit(ctx, person.Email, pseudonym(person.ID), nil)
	}
	return queries.ErasureAuditOwn(ctx, person.Email, pseudonym(person.ID), "account "+person.ID.String())
}

// statements runs statements until one fails.
type statements struct {
	tx   pgx.Tx
	args pgx.NamedArgs
	err  error
}

// run adds a statement. Its parts come from the sources, never from a request.
func (s *statements) run(ctx context.Context, format string, parts ...any) {
	if s.err == nil {
		_, s.err = s.tx.Exec(ctx, fmt.Sprintf(format, parts...), s.args)
	}
}

// clear deletes the rows of a condition, or sets something in them.
func (s *statements) clear(ctx context.Context, name, where, set string) {
	switch set {
	case "":
		s.run(ctx, "DELETE FROM %s WHERE %s", name, where)
	case keep:
	default:
		s.run(ctx, "UPDATE %s SET %s WHERE %s", name, set, where)
	}
}

// forget removes an account from a table.
func (s *statements) forget(ctx context.Context, t table, confirmed bool) {
	if t.own != "" && (t.drop || t.blank != "") {
		s.clear(ctx, t.name, t.own+" = @id", t.blank)
	}
	if t.found != "" && confirmed {
		s.clear(ctx, t.name, t.found, t.empty)
	}
	if t.name == "audit" || t.by == "" && (t.found == "" || !confirmed) {
		return
	}
	for _, column := range columns(t.texts) {
		where := "position(@email IN lower(" + column + ")) > 0"
		if !confirmed { // what others wrote may mean the real owner of the address
			where += " AND @email IN (" + t.by + ")"
		}
		s.run(ctx, "UPDATE %s SET %s = erase_words(%s, @email, @instead) WHERE %s", t.name, column, column, where)
	}
	for _, column := range columns(t.by) {
		s.run(ctx, "UPDATE %s SET %s = @instead WHERE %s = @email", t.name, column, column)
	}
}

func columns(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' })
}
