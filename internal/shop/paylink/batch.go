package paylink

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
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
	// ErrMissing means that the batch does not exist or is another client's.
	ErrNoBatch = fault.New(fault.NotFound, "no such batch")
)

// BatchProblem says what is wrong with a row, counted from 1. Field is "" for the row as a whole, else one of amount currency reference
// description expires. What is one of the problems of package paylink; for a row as a whole it may be "no row", "quotes" or
// "columns", and for a field "bad" or "no text".
type BatchProblem struct {
	Row         int
	Field, What string
}

// BatchProblems lists everything that is wrong with a batch, by row. Nothing was made.
type BatchProblems []BatchProblem

func (p BatchProblems) Error() string {
	return fmt.Sprintf("%d problems, the first: row %d: %s %s", len(p), p[0].Row, p[0].Field, p[0].What)
}

// Unwrap returns a fault.Invalid.
func (p BatchProblems) Unwrap() error {
	return fault.New(fault.Invalid, "rows of the batch break a rule")
}

// Batch is a set of pay links that were made together, in their present state.
type Batch struct {
	ID        string
	CreatedAt time.Time
	Rows      []State
}

// State is the state of a row: its transaction.
type State struct {
	Row             int // from 1
	TransactionID   string
	Reference       string
	Amount          int64 // minor units
	Currency        string
	Status          state.Transaction
	PaidAt, Expires *time.Time
}

// Batches makes batches and reports their state.
type Batches struct {
	pool *pgxpool.Pool
}

// NewBatches returns batches stored in the database of pool.
func NewBatches(pool *pgxpool.Pool) *Batches { return &Batches{pool: pool} }

// Create makes a pay link of the client for each row, in one database transaction. Calling it again with the same key and rows
// returns what it made before, with again set; an empty key is not a key. Errors: ErrEmpty, ErrTooMany, ErrKeyUsed, Problems.
func (b *Batches) Create(ctx context.Context, client, key string, rows []Row) (made Batch, again bool, err error) {
	return b.CreateIn(ctx, b.pool, client, key, rows)
}

// Conn is a database connection that can begin a transaction: a pool, or a transaction, which begins a nested one.
type Conn interface {
	db.DBTX
	Begin(ctx context.Context) (pgx.Tx, error)
}

// CreateIn is Create as part of a transaction that has more to do.
func (b *Batches) CreateIn(ctx context.Context, conn Conn, client, key string, rows []Row) (made Batch, again bool, err error) {
	switch {
	case len(rows) == 0:
		return made, false, ErrEmpty
	case len(rows) > Max:
		return made, false, ErrTooMany
	}
	sum := hash(rows)
	if key != "" {
		if made, again, err = before(ctx, conn, client, key, sum); again || err != nil {
			return made, again, err
		}
	}
	id := rand.Text()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return store(ctx, tx, id, client, key, sum, rows) })
	if key != "" && db.IsTaken(err) {
		return before(ctx, conn, client, key, sum) // the same was sent twice at once
	}
	if err != nil {
		return made, false, err
	}
	made, err = get(ctx, conn, client, id)
	return made, false, err
}

// Get returns the state of a client's batch. Error: ErrMissing.
func (b *Batches) Get(ctx context.Context, client, id string) (Batch, error) {
	return get(ctx, b.pool, client, id)
}

func get(ctx context.Context, conn db.DBTX, client, id string) (Batch, error) {
	rows, err := db.New(conn).BatchGet(ctx, id, client)
	if err == nil && len(rows) == 0 {
		err = ErrNoBatch
	}
	if err != nil {
		return Batch{}, err
	}
	batch := Batch{ID: id, CreatedAt: rows[0].BatchCreatedAt, Rows: make([]State, len(rows))}
	for i, row := range rows {
		batch.Rows[i] = State{
			Row: int(row.RowNo), TransactionID: row.ID, Reference: row.ClientRef, Amount: row.AmountMinor,
			Currency: row.Currency, Status: row.Status, PaidAt: row.PaidAt, Expires: row.ExpiresAt,
		}
	}
	return batch, nil
}

// before looks up the batch that was made with a key.
func before(ctx context.Context, conn db.DBTX, client, key string, sum []byte) (Batch, bool, error) {
	found, err := db.New(conn).BatchGetByKey(ctx, client, key)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Batch{}, false, nil
	case err != nil:
		return Batch{}, false, err
	case !bytes.Equal(found.ContentHash, sum):
		return Batch{}, false, ErrKeyUsed
	}
	batch, err := get(ctx, conn, client, found.ID)
	return batch, err == nil, err
}

func store(ctx context.Context, tx pgx.Tx, id, client, key string, sum []byte, rows []Row) error {
	queries := db.New(tx)
	head := db.BatchCreateParams{ID: id, ClientCode: client, ContentHash: sum}
	if key != "" {
		head.Key = &key
	}
	if err := queries.BatchCreate(ctx, head); err != nil {
		return err
	}
	made, err := create(ctx, tx, client, rows)
	if err != nil {
		return err
	}
	ids := make([]string, len(made))
	for i, link := range made {
		ids[i] = link.ID
	}
	return queries.BatchRowCreate(ctx, id, ids, client)
}

// create makes the pay links, or reports every problem: values that could not be read as well as values that break a rule.
func create(ctx context.Context, tx pgx.Tx, client string, rows []Row) ([]Created, error) {
	links := make([]Wanted, len(rows))
	var problems BatchProblems
	unread := map[BatchProblem]bool{}
	for i, row := range rows {
		link, wrong := row.read(i + 1)
		link.Client = client
		links[i] = link
		for _, p := range wrong {
			problems = append(problems, p)
			unread[BatchProblem{Row: p.Row, Field: p.Field}] = true
		}
	}
	made, err := Create(ctx, tx, links)
	var broken Problems
	if err != nil && !errors.As(err, &broken) {
		return nil, err
	}
	for _, p := range broken {
		row := p.Row + 1
		if !unread[BatchProblem{Row: row, Field: p.Field}] && !unread[BatchProblem{Row: row}] {
			problems = append(problems, BatchProblem{Row: row, Field: p.Field, What: string(p.Problem)})
		}
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b BatchProblem) int { return a.Row - b.Row })
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
