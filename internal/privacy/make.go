package privacy

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/mail"
	"forecourt/internal/receipt"
)

// Make makes a requested copy. It may be killed and called again, because only a complete copy becomes ready. It needs no more memory for a
// larger copy.
func (p *Privacy) Make(ctx context.Context, id uuid.UUID) error {
	steps := p.steps()
	begun, err := p.queries.DataCopyStart(ctx, int32(len(steps)), id) //nolint:gosec // fewer than there are tables
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	person, err := p.queries.AccountGet(ctx, begun.AccountID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	store := &sealer{ctx: ctx, p: p, id: id, try: begun.Try}
	if err := p.write(ctx, person, store, func() error { _, err := p.queries.DataCopyStep(ctx, id, begun.Try); return err }); err != nil {
		return err
	}
	if err := store.flush(); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		ready, err := db.New(tx).DataCopyReady(ctx, db.DataCopyReadyParams{Parts: store.n, Bytes: store.total, KeptFor: CopyKeptFor, ID: id, Try: begun.Try})
		if err != nil || ready == 0 {
			return err
		}
		return p.mail.Add(ctx, tx, mail.Request{Kind: LetterReady, Key: LetterReady + "/" + id.String(), Data: AccountLetter{Account: person.ID}})
	})
}

// AccountID finds an account by its address. Errors: ErrNobody.
func (p *Privacy) AccountID(ctx context.Context, email string) (uuid.UUID, error) {
	row, err := p.queries.AccountByEmail(ctx, email)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, ErrNobody
	}
	return row.ID, err
}

// Export writes a copy of an account's data, as a ZIP. Errors: ErrNobody.
func (p *Privacy) Export(ctx context.Context, account uuid.UUID, to io.Writer) error {
	person, err := p.queries.AccountGet(ctx, account)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrNobody
	}
	if err != nil {
		return err
	}
	return p.write(ctx, person, to, func() error { return nil })
}

// write writes a ZIP from one snapshot of the database. It calls stepped after each step.
func (p *Privacy) write(ctx context.Context, person db.Account, to io.Writer, stepped func() error) error {
	c := &copying{account: person.ID, email: person.Email, verified: person.VerifiedAt != nil, zip: zip.NewWriter(to)}
	err := pgx.BeginTxFunc(ctx, p.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		ctx, err := db.Patient(ctx, tx, statementFor)
		if err != nil {
			return err
		}
		c.tx = tx
		for _, step := range p.steps() {
			if err := errors.Join(step(ctx, c), ctx.Err()); err != nil {
				return err
			}
			if err := stepped(); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, c.zip.Close())
}

// copying is a copy under way.
type copying struct {
	account  uuid.UUID
	email    string
	verified bool // the address is the person's; without that, what is found by it may be somebody else's
	zip      *zip.Writer
	tx       pgx.Tx
}

// steps returns the functions that write the parts of a copy. The page that waits counts them.
func (p *Privacy) steps() []func(context.Context, *copying) error {
	all := []func(context.Context, *copying) error{writeReadme}
	for _, t := range tables {
		if t.Account != "" {
			all = append(all, func(ctx context.Context, c *copying) error {
				return c.rows(ctx, t.Name+".json", slices.Contains(typed, t.Name),
					"SELECT "+columns(t.Person, t.Words, t.Other)+" FROM "+t.Name+" WHERE "+t.Account+" = $1", c.account)
			})
		}
		if t.Made != "" {
			all = append(all, func(ctx context.Context, c *copying) error {
				return c.byAddress(ctx, "done-by-you/"+t.Name+".json",
					"SELECT "+columns(t.Made, t.Words)+" FROM "+t.Name+" WHERE lower($1) IN ("+columns(t.Actor)+")")
			})
		}
	}
	return append(all, writeLetters, p.writeRecords)
}

// typed lists the tables with text that the person typed. Nothing in them is masked.
var typed = []string{"account", "form", "onboarding", "merchant"}

func columns(lists ...string) string {
	return strings.Join(strings.Fields(strings.Join(lists, " ")), ", ")
}

func writeLetters(ctx context.Context, c *copying) error {
	return c.byAddress(ctx, "letters.json", "SELECT kind, subject, created_at, sent_at, held FROM mail WHERE lower(recipient) = lower($1) ORDER BY created_at")
}

// byAddress writes the rows that a query finds by the person's address, if that address is confirmed.
func (c *copying) byAddress(ctx context.Context, name, query string) error {
	if !c.verified {
		return nil
	}
	return c.rows(ctx, name, false, query, c.email)
}

// rows writes the result of a query as a JSON file, a row at a time; an empty result makes no file. It masks the addresses of others, unless
// own says that the person typed everything in it.
func (c *copying) rows(ctx context.Context, name string, own bool, query string, args ...any) error {
	rows, err := c.tx.Query(ctx, "SELECT to_jsonb(x)::text FROM ("+query+") x", args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var file io.Writer
	for between := "[\n"; rows.Next(); between = ",\n" {
		var row string
		if err := rows.Scan(&row); err != nil {
			return err
		}
		if !own {
			row = c.masked(row)
		}
		if file == nil {
			if file, err = c.zip.Create(name); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(file, between+row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil || file == nil {
		return err
	}
	_, err = io.WriteString(file, "\n]\n")
	return err
}

// address matches email addresses in JSON, which does not escape their characters.
var address = regexp.MustCompile(`[\p{L}0-9.!#$%*+/=?^_{|}~'-]+@[\p{L}0-9-]+(\.[\p{L}0-9-]+)+`)

// masked hides the addresses of other people.
func (c *copying) masked(text string) string {
	return address.ReplaceAllStringFunc(text, func(found string) string {
		if strings.EqualFold(found, c.email) {
			return found
		}
		return receipt.Mask(found)
	})
}

// add writes a value as a file of JSON.
func (c *copying) add(name string, value any) error {
	file, err := c.zip.Create(name)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(file)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
