package secret

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ServingLock is the key of the advisory lock that every serving program shares. Who replaces the secret takes it alone.
const ServingLock = 0x736572766564

// batch is how many rows are in memory at once.
const batch = 50

// ErrServing means that a program serves with the present secret, and would go on sealing with it.
var ErrServing = errors.New("a program is serving with this database: stop every process, then run this again")

// WrongError means that a database belongs to another secret than the one that was given.
type WrongError struct{ Needs, Has string } // fingerprints

func (e *WrongError) Error() string {
	return "the database belongs to the secret with the fingerprint " + e.Needs + ", and this one has " + e.Has
}

// OlderError means that rows open only with an earlier secret, or with none.
type OlderError struct{ Columns []Resealed }

func (e *OlderError) Error() string {
	names := make([]string, len(e.Columns))
	for i, c := range e.Columns {
		names[i] = c.Table + "." + c.Name
	}
	return "rows of " + strings.Join(names, ", ") + " do not open with the secret"
}

// CheckDatabase refuses a secret that is not the database's. It stores the fingerprint of the first one, if that opens every row. Errors:
// *WrongError, *OlderError.
func CheckDatabase(ctx context.Context, pool *pgxpool.Pool, columns []Column, present string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock_shared($1)", ServingLock); err != nil { // waits for Rotate
			return err
		}
		has := Fingerprint(present)
		needs, err := stored(ctx, tx)
		switch {
		case err != nil || needs == has:
			return err
		case needs != "":
			return &WrongError{Needs: needs, Has: has}
		}
		var closed []Resealed
		for _, c := range columns {
			result, err := reseal(ctx, tx, c, present)
			if err != nil {
				return err
			}
			if len(result.Lost) > 0 && !c.Brief {
				closed = append(closed, result)
			}
		}
		if len(closed) > 0 {
			return &OlderError{closed}
		}
		return store(ctx, tx, has)
	})
}

// stored returns the fingerprint of the secret to which the database belongs, "" for none.
func stored(ctx context.Context, tx pgx.Tx) (fingerprint string, err error) {
	err = tx.QueryRow(ctx, "SELECT fingerprint FROM secret_fingerprint").Scan(&fingerprint)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return fingerprint, err
}

func store(ctx context.Context, tx pgx.Tx, fingerprint string) error {
	_, err := tx.Exec(ctx, `INSERT INTO secret_fingerprint (fingerprint) VALUES ($1)
		ON CONFLICT (only_row) DO UPDATE SET fingerprint = excluded.fingerprint, since = now()`, fingerprint)
	return err
}

// Resealed is the outcome for a column.
type Resealed struct {
	Column
	Rows    int      // rows that hold something
	Renewed int      // rows that were sealed again
	Lost    []string // keys of the rows that neither secret opens
}

// Rotation replaces a secret.
type Rotation struct {
	Columns  []Column
	From, To string // From may be "" if it is lost
	Lost     bool   // leave rows that neither secret opens as they are
	// Also does the rest, in the same transaction.
	Also func(context.Context, pgx.Tx) error
}

// Run seals every row with the new secret, in one transaction: if it is killed, nothing has changed. It changes nothing if the database
// belongs to the new secret already. Errors: ErrServing, *WrongError, and *OlderError unless Lost is set.
func (r Rotation) Run(ctx context.Context, pool *pgxpool.Pool) (results []Resealed, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		// The rows are many, and no request waits for them.
		if _, err := tx.Exec(ctx, "SELECT set_config('statement_timeout', '0', true), set_config('transaction_timeout', '0', true)"); err != nil {
			return err
		}
		var alone bool
		if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", ServingLock).Scan(&alone); err != nil {
			return err
		}
		if !alone {
			return ErrServing
		}
		needs, err := stored(ctx, tx)
		if err != nil || needs == Fingerprint(r.To) {
			return err
		}
		if needs != "" && needs != Fingerprint(r.From) && !r.Lost {
			return &WrongError{Needs: needs, Has: Fingerprint(r.From)}
		}
		if results, err = r.reseal(ctx, tx); err != nil {
			return err
		}
		if err := r.Also(ctx, tx); err != nil {
			return err
		}
		return store(ctx, tx, Fingerprint(r.To))
	})
	return results, err
}

func (r Rotation) reseal(ctx context.Context, tx pgx.Tx) (results []Resealed, err error) {
	var closed []Resealed
	for _, c := range r.Columns {
		result, err := reseal(ctx, tx, c, r.To, r.From)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", c.Table, c.Name, err)
		}
		results = append(results, result)
		if len(result.Lost) > 0 && !c.Brief {
			closed = append(closed, result)
		}
	}
	if len(closed) > 0 && !r.Lost {
		err = &OlderError{closed}
	}
	return results, err
}

// reseal seals the rows of a column with the first secret that another one sealed, in the order of their keys.
func reseal(ctx context.Context, tx pgx.Tx, c Column, secrets ...string) (Resealed, error) {
	result := Resealed{Column: c}
	keys := make([][]byte, len(secrets))
	for i, one := range secrets {
		keys[i] = Derive(one, c.Purpose)
	}
	box := NewBox(keys...)
	var after []string
	for {
		rows, err := read(ctx, tx, c, after)
		if err != nil {
			return result, err
		}
		for _, row := range rows {
			key := row.parts[:len(c.Key)]
			again, old, err := box.Renew(row.sealed, c.Place(row.parts))
			switch {
			case errors.As(err, new(*LostError)):
				result.Lost = append(result.Lost, strings.Join(key, " "))
			case err != nil:
				return result, err
			case old:
				if err := write(ctx, tx, c, key, again); err != nil {
					return result, err
				}
				result.Renewed++
			}
			after = key
		}
		if result.Rows += len(rows); len(rows) < batch {
			return result, nil
		}
	}
}

// row is a row of a column, with the texts of its key and of what else its place needs.
type row struct {
	parts  []string
	sealed []byte
}

// read returns the next rows after a key. The names come from the sources, never from a request.
func read(ctx context.Context, tx pgx.Tx, c Column, after []string) ([]row, error) {
	query := "SELECT " + parts(c) + ", " + c.Name + " FROM " + c.Table + " WHERE " + c.Name + " IS NOT NULL"
	if after != nil {
		query += " AND (" + names(c) + ") > (" + values(c.Key) + ")"
	}
	rows, err := tx.Query(ctx, query+" ORDER BY "+names(c)+" LIMIT "+strconv.Itoa(batch), arguments(after)...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(from pgx.CollectableRow) (row, error) {
		r := row{parts: make([]string, len(c.Key)+len(c.And))}
		into := make([]any, 0, len(r.parts)+1)
		for i := range r.parts {
			into = append(into, &r.parts[i])
		}
		return r, from.Scan(append(into, &r.sealed)...)
	})
}

func write(ctx context.Context, tx pgx.Tx, c Column, key []string, sealed []byte) error {
	_, err := tx.Exec(ctx, "UPDATE "+c.Table+" SET "+c.Name+" = $"+strconv.Itoa(len(key)+1)+" WHERE ("+names(c)+") = ("+values(c.Key)+")",
		append(arguments(key), sealed)...)
	return err
}

// names returns the columns of the key with their table. Without the table, ORDER BY would sort by the selected texts.
func names(c Column) string {
	all := make([]string, len(c.Key))
	for i, p := range c.Key {
		all[i] = c.Table + "." + p.Name
	}
	return strings.Join(all, ", ")
}

// parts returns the expressions for the texts that identify a row and its place.
func parts(c Column) string {
	var all []string
	for _, p := range append(c.Key[:len(c.Key):len(c.Key)], c.And...) {
		all = append(all, p.Name+"::text")
	}
	return strings.Join(all, ", ")
}

// values returns the arguments that a key is compared with.
func values(parts []Part) string {
	all := make([]string, len(parts))
	for i, p := range parts {
		all[i] = "$" + strconv.Itoa(i+1) + "::text::" + p.Type
	}
	return strings.Join(all, ", ")
}

func arguments(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}
