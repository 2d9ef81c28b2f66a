package paylink

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
)

// Why a batch cannot be made or found, besides Problems.
var (
	// ErrEmpty means that the batch has no rows.
	ErrEmpty = fault.New(fault.Invalid, "the batch has no rows")
	// ErrTooMany means that the batch has more rows than paylink.Max.
	ErrTooMany = fault.New(fault.Invalid, "the batch has more than %d rows", Max)
	// ErrKeyUsed means that the key was used before with other rows.
	ErrKeyUsed = fault.New(fault.Invalid, "the idempotency key was used for another batch")
	// ErrTestLinks means that a shop in test mode has made MostTestLinks within a day.
	ErrTestLinks = fault.New(fault.TooMany,
		"A business in test mode makes at most 1,000 pay links a day. The next day has more, as has real business.")
	// ErrNoBatch means that the batch does not exist or is another shop's.
	ErrNoBatch = fault.New(fault.NotFound, "no such batch")
)

// MostTestLinks is how many pay links a shop makes in a day while it is in test mode: they are kept with the books.
const MostTestLinks = 1000

// capped returns ErrTestLinks if a shop may not make so many links more. The shop is locked until the transaction ends.
func capped(ctx context.Context, tx pgx.Tx, shop string, more int) error {
	queries := db.New(tx)
	if _, err := queries.ShopLock(ctx, shop); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	made, err := queries.PaylinkTestCount(ctx, shop)
	if err == nil && int(made)+more > MostTestLinks {
		err = ErrTestLinks
	}
	return err
}

// Batch is a set of pay links that were made together, in their present state.
type Batch struct {
	ID   string
	Rows []db.BatchGetRow // at least one; they count from 1
}

// Create makes a pay link of the shop for each row, in one database transaction. Calling it again with the same key and rows
// returns what it made before, with again set; an empty key is not a key. Errors: ErrEmpty, ErrTooMany, ErrKeyUsed, ErrTestLinks, Problems.
func (l *Links) Create(ctx context.Context, shop, key string, rows []Row) (made Batch, again bool, err error) {
	return l.CreateIn(ctx, l.pool, shop, key, rows)
}

// Conn is a database connection that can begin a transaction: a pool, or a transaction, which begins a nested one.
type Conn interface {
	db.DBTX
	Begin(ctx context.Context) (pgx.Tx, error)
}

// CreateIn is Create as part of a transaction that has more to do.
func (l *Links) CreateIn(ctx context.Context, conn Conn, shop, key string, rows []Row) (made Batch, again bool, err error) {
	switch {
	case len(rows) == 0:
		return made, false, ErrEmpty
	case len(rows) > Max:
		return made, false, ErrTooMany
	}
	sum := hash(rows)
	if key != "" {
		if made, again, err = before(ctx, conn, shop, key, sum); again || err != nil {
			return made, again, err
		}
	}
	id := rand.Text()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := capped(ctx, tx, shop, len(rows)); err != nil {
			return err
		}
		return store(ctx, tx, id, shop, key, sum, rows)
	})
	if key != "" && db.IsTaken(err) {
		return before(ctx, conn, shop, key, sum) // the same was sent twice at once
	}
	if err != nil {
		return made, false, err
	}
	made, err = get(ctx, conn, shop, id)
	return made, false, err
}

// Batch returns the state of a shop's batch. Error: ErrNoBatch.
func (l *Links) Batch(ctx context.Context, shop, id string) (Batch, error) {
	return get(ctx, l.pool, shop, id)
}

func get(ctx context.Context, conn db.DBTX, shop, id string) (Batch, error) {
	rows, err := db.New(conn).BatchGet(ctx, id, shop)
	if err == nil && len(rows) == 0 {
		err = ErrNoBatch
	}
	return Batch{id, rows}, err
}

// before looks up the batch that was made with a key.
func before(ctx context.Context, conn db.DBTX, shop, key string, sum []byte) (Batch, bool, error) {
	found, err := db.New(conn).BatchGetByKey(ctx, shop, key)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Batch{}, false, nil
	case err != nil:
		return Batch{}, false, err
	case !bytes.Equal(found.ContentHash, sum):
		return Batch{}, false, ErrKeyUsed
	}
	batch, err := get(ctx, conn, shop, found.ID)
	return batch, err == nil, err
}

func store(ctx context.Context, tx pgx.Tx, id, shop, key string, sum []byte, rows []Row) error {
	queries := db.New(tx)
	head := db.BatchCreateParams{ID: id, ShopCode: shop, ContentHash: sum}
	if key != "" {
		head.Key = &key
	}
	if err := queries.BatchCreate(ctx, head); err != nil {
		return err
	}
	made, err := create(ctx, tx, shop, rows)
	if err != nil {
		return err
	}
	ids := make([]string, len(made))
	for i, link := range made {
		ids[i] = link.ID
	}
	return queries.BatchRowCreate(ctx, id, ids, shop)
}

// create makes the pay links, or reports every problem: values that could not be read as well as values that break a rule.
func create(ctx context.Context, tx pgx.Tx, shop string, rows []Row) ([]Wanted, error) {
	links := make([]Wanted, len(rows))
	shops, err := shopsOf(ctx, db.New(tx), []Wanted{{Shop: shop}})
	if err != nil {
		return nil, err
	}
	var problems Problems
	for i, row := range rows {
		link, wrong := row.read(i+1, shops[shop].Currency)
		link.Shop = shop
		links[i] = link
		problems = append(problems, wrong...)
	}
	made, err := Create(ctx, tx, links)
	var broken Problems
	if err != nil && !errors.As(err, &broken) {
		return nil, err
	}
	unread := slices.Clone(problems)
	for _, p := range broken {
		if !slices.ContainsFunc(unread, func(u Problem) bool { return u.Row == p.Row && (u.Field == p.Field || u.Field == "") }) {
			problems = append(problems, p)
		}
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b Problem) int { return a.Row - b.Row })
		return nil, problems
	}
	return made, nil
}

// hash hashes what makes two batches the same.
func hash(rows []Row) []byte {
	text, err := json.Marshal(rows)
	if err != nil {
		panic(err) // cannot happen: all values are strings
	}
	sum := sha256.Sum256(text)
	return sum[:]
}
