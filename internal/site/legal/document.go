package legal

import (
	"context"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/fault"
)

// ErrMissing means that the document does not exist.
var ErrMissing = fault.New(fault.NotFound, "there is no such document")

// ErrID means that no document can have this name.
var ErrID = fault.New(fault.Invalid, "a document's id has 1 to 100 small letters, digits, . - and _, a letter or digit first")

var ids = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)

// Documents keeps long texts in the database, in pages. A reader sees one as it was saved, complete, or not at all.
type Documents struct{ pool *pgxpool.Pool }

// NewDocuments returns the documents stored in pool.
func NewDocuments(pool *pgxpool.Pool) *Documents { return &Documents{pool: pool} }

// DocumentInfo describes a saved document.
type DocumentInfo struct {
	ID         string    `json:"id"`
	Pages      int       `json:"pages"`
	Characters int64     `json:"characters"` // of Unicode
	Bytes      int64     `json:"bytes"`      // of UTF-8
	Saved      time.Time `json:"saved"`
}

// Save stores the text of r under id, replacing what was there. It holds one page at a time in memory. Errors: ErrID, TextError,
// and those of r; after any of them the document is unchanged.
func (d *Documents) Save(ctx context.Context, id string, r io.Reader) (DocumentInfo, error) {
	if !ids.MatchString(id) {
		return DocumentInfo{}, ErrID
	}
	var saved db.DocumentVersion
	err := pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		ctx, err := patient(ctx, tx)
		if err != nil {
			return err
		}
		if saved, err = addVersion(ctx, db.New(tx), r); err != nil {
			return err
		}
		return replace(ctx, db.New(tx), id, saved.ID)
	})
	if err != nil {
		return DocumentInfo{}, err
	}
	return infoOf(id, saved), nil
}

// patient lets a transaction wait for a slow disk or pipe, but not forever: it keeps the database from cleaning up.
func patient(ctx context.Context, tx pgx.Tx) (context.Context, error) {
	if _, err := tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = '5min'"); err != nil {
		return nil, err
	}
	return db.Patient(ctx, tx, 5*time.Minute)
}

func addVersion(ctx context.Context, queries *db.Queries, r io.Reader) (db.DocumentVersion, error) {
	version := db.DocumentVersionCloseParams{}
	var err error
	if version.ID, err = queries.DocumentVersionCreate(ctx); err != nil {
		return db.DocumentVersion{}, err
	}
	pages := newPager(r)
	for {
		content, err := pages.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return db.DocumentVersion{}, err
		}
		if err := queries.DocumentPageAdd(ctx, version.ID, version.Pages, content); err != nil {
			return db.DocumentVersion{}, err
		}
		version.Pages++
	}
	version.Characters, version.Bytes = pages.characters, pages.bytes
	return queries.DocumentVersionClose(ctx, version)
}

// replace switches a document to a version and removes the one it showed before. Of concurrent saves, the last one wins.
func replace(ctx context.Context, queries *db.Queries, id string, version int64) error {
	created, err := queries.DocumentCreate(ctx, id, version)
	if err != nil || created > 0 {
		return err
	}
	before, err := queries.DocumentLock(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.New(fault.Conflict, "document %s was removed while it was saved", id)
	}
	if err != nil {
		return err
	}
	if err := queries.DocumentSwitch(ctx, version, id); err != nil {
		return err
	}
	return queries.DocumentVersionDelete(ctx, before)
}

// Write writes a document to w, page by page, as it is at this moment, even if it is replaced meanwhile. Error: ErrMissing, before
// anything is written.
func (d *Documents) Write(ctx context.Context, id string, w io.Writer) error {
	return d.write(ctx, id, math.MaxInt64, w)
}

// Read returns a document of at most limit bytes. Errors: ErrMissing, fault.TooLarge.
func (d *Documents) Read(ctx context.Context, id string, limit int64) (string, error) {
	var text strings.Builder
	err := d.write(ctx, id, limit, &text)
	return text.String(), err
}

// write writes a document of at most limit bytes as it is in one snapshot of the database.
func (d *Documents) write(ctx context.Context, id string, limit int64, w io.Writer) error {
	if !ids.MatchString(id) {
		return ErrMissing
	}
	moment := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, d.pool, moment, func(tx pgx.Tx) error {
		ctx, err := patient(ctx, tx)
		if err != nil {
			return err
		}
		queries := db.New(tx)
		version, err := queries.DocumentGet(ctx, id)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return ErrMissing
		case err != nil:
			return err
		case version.Bytes > limit:
			return fault.New(fault.TooLarge, "document %s has %d bytes, more than %d", id, version.Bytes, limit)
		}
		for n := range version.Pages {
			content, err := queries.DocumentPageGet(ctx, version.ID, n)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(w, content); err != nil {
				return err
			}
		}
		return nil
	})
}

// List describes every document, by id.
func (d *Documents) List(ctx context.Context) ([]DocumentInfo, error) {
	rows, err := db.New(d.pool).DocumentList(ctx)
	infos := make([]DocumentInfo, len(rows))
	for i, row := range rows {
		infos[i] = DocumentInfo{row.DocumentID, int(row.Pages), row.Characters, row.Bytes, row.SavedAt}
	}
	return infos, err
}

// Remove deletes a document. Error: ErrMissing.
func (d *Documents) Remove(ctx context.Context, id string) error {
	if !ids.MatchString(id) {
		return ErrMissing
	}
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		ctx, err := patient(ctx, tx)
		if err != nil {
			return err
		}
		queries := db.New(tx)
		version, err := queries.DocumentDelete(ctx, id)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrMissing
		}
		if err != nil {
			return err
		}
		return queries.DocumentVersionDelete(ctx, version)
	})
}

func infoOf(id string, v db.DocumentVersion) DocumentInfo {
	return DocumentInfo{id, int(v.Pages), v.Characters, v.Bytes, v.SavedAt}
}
