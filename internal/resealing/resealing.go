// Package resealing replaces the program's secret in the database: it seals data with the present secret that an older secret sealed.
package resealing

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/secret"
)

// Batch is how many rows one transaction seals. It is small, so that their locks are held for a moment only.
const Batch = 50

// Result is the outcome for a column.
type Result struct {
	secret.Column
	Rows    int      // rows that hold something
	Renewed int      // rows that this run sealed
	Lost    []string // keys of the rows that no secret opens
}

// Run seals a column with the secret in use, in the order of its keys. It skips rows that the secret in use sealed, so it may be stopped at
// any moment and run again, beside serving programs, and twice at the same time. It calls said after each batch.
func Run(ctx context.Context, pool *pgxpool.Pool, ring secret.Ring, c secret.Column, said func(Result)) (Result, error) {
	result := Result{Column: c}
	box, err := ring.Box(c.Purpose)
	if err != nil {
		return result, err
	}
	var after []string
	for {
		var seen int
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			rows, err := read(ctx, tx, c, after)
			if err != nil {
				return err
			}
			renewed, lost, err := renew(ctx, tx, box, c, rows)
			if err != nil {
				return err
			}
			if seen = len(rows); seen > 0 {
				after = rows[seen-1].parts[:len(c.Key)]
			}
			result.Rows, result.Renewed, result.Lost = result.Rows+seen, result.Renewed+renewed, append(result.Lost, lost...)
			return nil
		})
		if err != nil {
			return result, err
		}
		if said != nil {
			said(result)
		}
		if seen < Batch {
			return result, nil
		}
	}
}

// renew seals the rows again that an older key sealed. It returns their number, and the keys of rows that no key opens.
func renew(ctx context.Context, tx pgx.Tx, box *secret.Box, c secret.Column, rows []row) (renewed int, lost []string, err error) {
	for _, row := range rows {
		again, old, err := box.Renew(row.sealed, c.Place(row.parts))
		if errors.As(err, new(*secret.LostError)) {
			lost = append(lost, strings.Join(row.parts[:len(c.Key)], " "))
			continue
		}
		if err != nil {
			return 0, nil, err
		}
		if !old {
			continue
		}
		if err := write(ctx, tx, c, row, again); err != nil {
			return 0, nil, err
		}
		renewed++
	}
	return renewed, lost, nil
}

// Opens reports whether the first row of a column opens. It is true for an empty column.
func Opens(ctx context.Context, pool *pgxpool.Pool, ring secret.Ring, c secret.Column) (bool, error) {
	box, err := ring.Box(c.Purpose)
	if err != nil {
		return false, err
	}
	rows, err := pool.Query(ctx, "SELECT "+parts(c)+", "+c.Name+" FROM "+c.Table+" WHERE "+c.Name+" IS NOT NULL ORDER BY "+names(c)+" LIMIT 1")
	if err != nil {
		return false, err
	}
	found, err := collect(rows, c)
	if err != nil || len(found) == 0 {
		return true, err
	}
	_, err = box.Open(found[0].sealed, c.Place(found[0].parts))
	return err == nil, nil
}

// row is a row of a column, with the texts of its key and of what else its place needs.
type row struct {
	parts  []string
	sealed []byte
}

// read locks the next rows after a key. The names come from the sources, never from a request.
func read(ctx context.Context, tx pgx.Tx, c secret.Column, after []string) ([]row, error) {
	query := "SELECT " + parts(c) + ", " + c.Name + " FROM " + c.Table + " WHERE " + c.Name + " IS NOT NULL"
	if after != nil {
		query += " AND (" + names(c) + ") > (" + values(c.Key) + ")"
	}
	rows, err := tx.Query(ctx, query+" ORDER BY "+names(c)+" LIMIT "+strconv.Itoa(Batch)+" FOR UPDATE", arguments(after)...)
	if err != nil {
		return nil, err
	}
	return collect(rows, c)
}

func collect(rows pgx.Rows, c secret.Column) ([]row, error) {
	return pgx.CollectRows(rows, func(from pgx.CollectableRow) (row, error) {
		r := row{parts: make([]string, len(c.Key)+len(c.And))}
		into := make([]any, 0, len(r.parts)+1)
		for i := range r.parts {
			into = append(into, &r.parts[i])
		}
		return r, from.Scan(append(into, &r.sealed)...)
	})
}

func write(ctx context.Context, tx pgx.Tx, c secret.Column, r row, sealed []byte) error {
	key := r.parts[:len(c.Key)]
	_, err := tx.Exec(ctx, "UPDATE "+c.Table+" SET "+c.Name+" = $"+strconv.Itoa(len(key)+1)+" WHERE ("+names(c)+") = ("+values(c.Key)+")",
		append(arguments(key), sealed)...)
	return err
}

// names returns the columns of the key with their table. Without the table, ORDER BY would sort by the selected texts.
func names(c secret.Column) string {
	all := make([]string, len(c.Key))
	for i, p := range c.Key {
		all[i] = c.Table + "." + p.Name
	}
	return strings.Join(all, ", ")
}

// parts returns the expressions for the texts that identify a row and its place.
func parts(c secret.Column) string {
	var all []string
	for _, p := range append(c.Key[:len(c.Key):len(c.Key)], c.And...) {
		all = append(all, p.Name+"::text")
	}
	return strings.Join(all, ", ")
}

// values returns the arguments that a key is compared with.
func values(parts []secret.Part) string {
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
