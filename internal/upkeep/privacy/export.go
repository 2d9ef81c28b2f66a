package privacy

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// CopiesPerDay is how many copies of their data a person may take in a day; TooManyCopies in views/account says it in words.
const CopiesPerDay = 3

var copies = throttle.Limit{Subject: "copies of data", Most: CopiesPerDay, Window: 24 * time.Hour}

// LetterCopied tells a person that a copy of their data was taken; its data is AccountLetter.
const LetterCopied = "data copied"

// TakeCopy counts a copy that the owner of an account is about to take, and tells them by letter and in the security log. Errors:
// *throttle.Error.
func (p *Privacy) TakeCopy(ctx context.Context, h account.Holder) error {
	if err := p.throttle.Take(ctx, copies, h.ID.String()); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		return p.note(ctx, tx, h, account.EventCopied, mail.Request{
			Kind: LetterCopied, Key: LetterCopied + "/" + uuid.NewString(), Data: AccountLetter{Account: h.ID},
		})
	})
}

// Export writes a copy of an account's data, as a ZIP of JSON and pictures. All rows are of one snapshot of the database. The copy is
// packed in memory, so that a slow reader holds no transaction, and written in pieces. Errors: ErrNobody.
func (p *Privacy) Export(ctx context.Context, id uuid.UUID, to io.Writer) error {
	person, err := p.queries.AccountGet(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && person.ErasedAt != nil {
		return ErrNobody
	}
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	c := &copying{account: person.ID, email: person.Email, verified: person.VerifiedAt != nil, zip: zip.NewWriter(&packed)}
	if err := p.inSnapshot(ctx, c.writeTables); err != nil {
		return err
	}
	if err := errors.Join(p.writeRecords(ctx, c), c.zip.Close()); err != nil {
		return err
	}
	_, err = io.Copy(to, struct{ io.Reader }{&packed})
	return err
}

func (p *Privacy) inSnapshot(ctx context.Context, work func(context.Context, pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, p.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		ctx, err := db.Patient(ctx, tx, statementFor)
		if err != nil {
			return err
		}
		return work(ctx, tx)
	})
}

// copying is a copy under way.
type copying struct {
	account  uuid.UUID
	email    string
	verified bool // the address is the person's; without that, what is found by it may be somebody else's
	zip      *zip.Writer
}

// writeTables writes what the tables hold of the person, a file for each, and what they mean.
func (c *copying) writeTables(ctx context.Context, tx pgx.Tx) error {
	if err := c.writeReadme(); err != nil {
		return err
	}
	for _, t := range tables {
		if t.gives != "" {
			where := or(t.mine, t.own+" = @id")
			if err := c.rows(ctx, tx, t.name, t.typed, "SELECT %s FROM %s WHERE %s", t.gives, t.name, where); err != nil {
				return err
			}
		}
		if t.sent != "" && c.verified {
			if err := c.rows(ctx, tx, t.name, false, "SELECT %s FROM %s WHERE %s", t.sent, t.name, t.found); err != nil {
				return err
			}
		}
		if t.did != "" && c.verified {
			if err := c.rows(ctx, tx, "done-by-you/"+t.name, false, "SELECT %s FROM %s WHERE @email IN (%s)", t.did, t.name, t.by); err != nil {
				return err
			}
		}
	}
	return nil
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// rows writes the result of a query as a JSON file; an empty result makes no file. It masks the addresses of others, unless typed says that
// the person typed everything in it.
func (c *copying) rows(ctx context.Context, tx pgx.Tx, name string, typed bool, query string, parts ...any) error {
	args := pgx.NamedArgs{"id": c.account, "email": c.email}
	rows, err := tx.Query(ctx, "SELECT to_jsonb(x)::text FROM ("+fmt.Sprintf(query, parts...)+") x", args)
	if err != nil {
		return err
	}
	var file io.Writer
	var row string
	_, err = pgx.ForEachRow(rows, []any{&row}, func() (err error) {
		between := ",\n"
		if file == nil {
			between = "[\n"
			if file, err = c.zip.Create(name + ".json"); err != nil {
				return err
			}
		}
		if !typed {
			row = c.masked(row)
		}
		_, err = io.WriteString(file, between+row)
		return err
	})
	if err != nil || file == nil {
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

// add writes a file: bytes as they are, anything else as JSON.
func (c *copying) add(name string, content any) error {
	file, err := c.zip.Create(name)
	if err != nil {
		return err
	}
	if whole, ok := content.([]byte); ok {
		_, err = file.Write(whole)
		return err
	}
	encoder := json.NewEncoder(file)
	encoder.SetIndent("", "  ")
	return encoder.Encode(content)
}

// writeReadme writes a file that says what a copy contains and what it leaves out.
func (c *copying) writeReadme() error {
	var text strings.Builder
	text.WriteString("A copy of what is stored about " + c.email + ".\n\nFiles without anything in them are left out.\n\n")
	if !c.verified {
		text.WriteString("The address is not confirmed, so what was sent to it or done under it is left out: it might be somebody else's. " +
			"Confirm it and take another copy.\n\n")
	}
	text.WriteString("Each file has the name of a table of the database. done-by-you has what you did for businesses; mail your letters " +
		"of the last 30 days, whose text is not kept once they are sent; identity what you signed, and the people and documents that you " +
		"entered.\n\n" +
		"Never in a copy: passwords and keys of codes, which are stored as hashes or encrypted; links and tokens; what others entered. " +
		"Their addresses are masked.\n")
	return c.add("README.txt", []byte(text.String()))
}
