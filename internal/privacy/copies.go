package privacy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/fault"
)

const (
	// CopiesPerDay is how many copies of their data a person may ask for in a day; TooManyCopies in views/account says it in words.
	CopiesPerDay = 3
	// CopyKeptFor is how long a copy can be downloaded.
	CopyKeptFor = 7 * 24 * time.Hour
)

var (
	// ErrCopies means that a copy is being made, or that CopiesPerDay were asked for within a day.
	ErrCopies = fault.New(fault.TooMany, "%d copies in a day, one at a time", CopiesPerDay)
	// ErrNoCopy means that a copy does not exist, is not ready, has expired or belongs to somebody else.
	ErrNoCopy = fault.New(fault.NotFound, "no such copy")
)

// LetterReady tells a person that the copy of their data is ready; its data is AccountLetter.
const LetterReady = "data copy ready"

// Copy is a ZIP of what is stored about an account.
type Copy struct {
	ID          uuid.UUID
	Asked       time.Time
	Done, Steps int   // of the work, while Ready is false
	Bytes       int64 // 0 until it is ready
	Ready       bool
	Expires     time.Time
}

// AskCopy queues a job that makes a copy. Errors: ErrCopies.
func (p *Privacy) AskCopy(ctx context.Context, account uuid.UUID) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		id := uuid.New()
		added, err := db.New(tx).DataCopyAdd(ctx, id, account, CopiesPerDay)
		if err != nil {
			return err
		}
		if added == 0 {
			return ErrCopies
		}
		_, err = p.client.InsertTx(ctx, tx, copyJob{ID: id}, nil)
		return err
	})
}

// Copies lists the copies of an account that have not expired, newest first.
func (p *Privacy) Copies(ctx context.Context, account uuid.UUID) ([]Copy, error) {
	rows, err := p.queries.DataCopyList(ctx, account)
	copies := make([]Copy, len(rows))
	for i, r := range rows {
		copies[i] = Copy{ID: r.ID, Asked: r.AskedAt, Done: int(r.Done), Steps: int(r.Steps), Bytes: r.Bytes, Ready: r.ReadyAt != nil, Expires: r.ExpiresAt}
	}
	return copies, err
}

// Download is a copy that is ready to be read.
type Download struct {
	Bytes int64
	first []byte
	rest  func(n int32) ([]byte, error)
	parts int32
}

// Open finds a copy of an account that is ready, and opens its first part. Errors: ErrNoCopy, *secret.LostError if the key is lost.
func (p *Privacy) Open(ctx context.Context, account, id uuid.UUID) (*Download, error) {
	row, err := p.queries.DataCopyGet(ctx, id, account)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrNoCopy
	}
	if err != nil {
		return nil, err
	}
	d := &Download{Bytes: row.Bytes, parts: row.Parts}
	d.rest = func(n int32) ([]byte, error) {
		sealed, err := p.queries.DataCopyPartGet(ctx, id, row.Try, n)
		if err != nil {
			return nil, err
		}
		return p.box.Open(sealed, partPlace(id, row.Try, n))
	}
	d.first, err = d.rest(0)
	return d, err
}

// WriteTo writes the ZIP, a part at a time.
func (d *Download) WriteTo(w io.Writer) (total int64, err error) {
	part := d.first
	for n := int32(0); ; {
		written, err := w.Write(part)
		total += int64(written)
		if n++; err != nil || n == d.parts {
			return total, err
		}
		if part, err = d.rest(n); err != nil {
			return total, err
		}
	}
}

// partBytes is the size of the parts into which a ZIP is split. Each is one row, and only one is in memory.
const partBytes = 256 << 10

// sealer writes a ZIP into rows.
type sealer struct {
	ctx     context.Context //nolint:containedctx // io.Writer takes none
	p       *Privacy
	id      uuid.UUID
	try, n  int32
	pending []byte
	total   int64
}

// Write stores each part once it is full.
func (s *sealer) Write(text []byte) (int, error) {
	for rest := text; len(rest) > 0; {
		room := min(partBytes-len(s.pending), len(rest))
		s.pending, rest = append(s.pending, rest[:room]...), rest[room:]
		if len(s.pending) == partBytes {
			if err := s.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(text), nil
}

// flush stores what is left as the last part.
func (s *sealer) flush() error {
	if len(s.pending) == 0 {
		return nil
	}
	err := s.p.queries.DataCopyPartAdd(s.ctx, db.DataCopyPartAddParams{
		CopyID: s.id, Try: s.try, N: s.n, Sealed: s.p.box.Seal(s.pending, partPlace(s.id, s.try, s.n)),
	})
	s.total += int64(len(s.pending))
	s.n, s.pending = s.n+1, s.pending[:0]
	return err
}

func partPlace(id uuid.UUID, try, n int32) string {
	return fmt.Sprintf("data copy %s/%d/%d", id, try, n)
}
