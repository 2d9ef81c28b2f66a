package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// ErrTooEarly means that no copy of the database is old enough.
var ErrTooEarly = errors.New("the archive does not reach back that far")

// Choose returns the copies of the database that are not newer than a time, or all for the zero time, the newest first. Errors: ErrTooEarly,
// ErrMissing for an archive without copies.
func (a *Archive) Choose(ctx context.Context, to time.Time) ([]Base, error) {
	bases, err := a.Bases(ctx)
	if err != nil {
		return nil, err
	}
	if len(bases) == 0 {
		return nil, fmt.Errorf("%w: there is no copy of a database", ErrMissing)
	}
	oldest := bases[0]
	bases = slices.DeleteFunc(bases, func(b Base) bool { return !to.IsZero() && b.Ended.After(to) })
	if len(bases) == 0 {
		return nil, fmt.Errorf("%w: its oldest copy is of %s", ErrTooEarly, oldest.Ended.Format(time.RFC3339))
	}
	slices.Reverse(bases)
	return bases, nil
}

// FetchNewest fetches the newest undamaged base of bases, which are sorted newest first, and returns the errors of those that it skipped. Once it
// skips a base whose timeline has a history file, it considers only bases on that timeline: another timeline ends in different data. A base's name
// alone does not prove a timeline, because anybody who can add files can choose it. Errors are FetchBase's.
func (a *Archive) FetchNewest(ctx context.Context, bases []Base) (newest Base, file *os.File, unfit []error, err error) {
	timeline := ""
	for _, b := range bases {
		if timeline != "" && b.timeline() != timeline {
			continue
		}
		if file, err = a.FetchBase(ctx, b); !errors.Is(err, ErrDamaged) && !errors.Is(err, unix.EIO) {
			return b, file, unfit, err
		}
		unfit = append(unfit, err)
		switch err = a.GetLog(ctx, b.timeline()+".history", io.Discard); {
		case err == nil:
			timeline = b.timeline()
		case !errors.Is(err, ErrMissing) && !errors.Is(err, ErrDamaged) && !errors.Is(err, unix.EIO):
			return b, nil, unfit, err
		}
	}
	return Base{}, nil, nil, errors.Join(unfit...)
}

// FetchBase decrypts a base into a temporary file without a name, and returns it at its beginning.
func (a *Archive) FetchBase(ctx context.Context, b Base) (*os.File, error) {
	f, err := os.CreateTemp(a.spool, spoolPrefix)
	if err != nil {
		return nil, err
	}
	err = os.Remove(f.Name())
	if err == nil {
		err = a.get(ctx, b.Name, func(r io.Reader) error {
			_, err := io.Copy(f, r)
			return err
		})
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Replay gives PostgreSQL the log that follows a base. It distinguishes the end of the log, where recovery ends, from a segment that is
// missing before the end, where recovery fails.
type Replay struct {
	archive *Archive
	last    string // the newest segment; "" if there is none
	// Unfit says why files with the names of newer segments do not belong to the log, the newest first: somebody added them, or they are damaged.
	Unfit []error
}

// Replay returns the log that the archive holds for a base.
func (a *Archive) Replay(ctx context.Context, b Base) (*Replay, error) {
	names, unfit, err := a.log(ctx, b.timeline())
	if err != nil {
		return nil, err
	}
	r := &Replay{archive: a, Unfit: unfit}
	if len(names) > 0 {
		r.last = names[len(names)-1]
	}
	return r, nil
}

// Fetch writes a file of the log to w. It returns ErrMissing after the end, and another error for a file that is missing or damaged before.
func (r *Replay) Fetch(ctx context.Context, name string, w io.Writer) error {
	err := r.archive.GetLog(ctx, name, w)
	if errors.Is(err, ErrMissing) && isSegment(name) && r.last != "" && name[:8] == r.last[:8] && name < r.last {
		return fmt.Errorf("the archive has a gap: %s of its log is missing, which goes on to %s; --to TIME restores what came before", name, r.last)
	}
	return err
}
