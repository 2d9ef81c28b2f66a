package privacy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Entry is an erasure: "account UUID" or "payer TRANSACTION". It identifies nobody without the database.
type Entry struct {
	Subject string
	At      time.Time
}

// List is the path of a file that lists erasures, one on each line. The file is in no backup, so that erasures can be repeated after a
// restore. It only grows. The empty List stores nothing.
type List string

// add appends entries and syncs the file. Several processes may call it at once.
func (l List) add(entries ...Entry) (err error) {
	if l == "" || len(entries) == 0 {
		return nil
	}
	f, err := os.OpenFile(string(l), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("the list of erasures: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var text strings.Builder
	last := make([]byte, 1)
	if size := info.Size(); size > 0 {
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' { // somebody was killed while writing
			text.WriteByte('\n')
		}
	}
	for _, e := range entries {
		text.WriteString(e.Line() + "\n")
	}
	if _, err := f.WriteString(text.String()); err != nil {
		return fmt.Errorf("the list of erasures: %w", err)
	}
	return f.Sync()
}

// Line returns an entry as a line of a list.
func (e Entry) Line() string { return e.At.UTC().Format(time.RFC3339) + " " + e.Subject }

// subject matches the subject of a line.
var subject = regexp.MustCompile(`^(account [0-9a-f-]{36}|payer [A-Za-z0-9_-]{22,36})$`)

// Usable reports why this process may not read the list or add to it. The file need not be there yet, nor its folder.
func (l List) Usable() error {
	f, err := os.OpenFile(string(l), os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		folder := filepath.Dir(string(l))
		if err = unix.Access(folder, unix.W_OK|unix.X_OK); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			err = &fs.PathError{Op: "write to", Path: folder, Err: err}
		}
	}
	if err != nil {
		return fmt.Errorf("the list of erasures: %w", err)
	}
	if f == nil {
		return nil
	}
	return f.Close()
}

// Listed is what a list held when it was read.
type Listed struct {
	Entries []Entry
	Unread  int // lines that could not be read: a killed process may leave half of one
}

// Read reads the list. A missing file has no entries.
func (l List) Read() (read Listed, err error) {
	if l == "" {
		return read, nil
	}
	f, err := os.Open(string(l))
	if errors.Is(err, fs.ErrNotExist) {
		return read, nil
	}
	if err != nil {
		return read, fmt.Errorf("the list of erasures: %w", err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text := lines.Text()
		if text == "" {
			continue
		}
		moment, rest, _ := strings.Cut(text, " ")
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil || !subject.MatchString(rest) {
			read.Unread++
			continue
		}
		read.Entries = append(read.Entries, Entry{Subject: rest, At: at})
	}
	return read, lines.Err()
}

// Applied is the result of Apply.
type Applied struct{ Again, Known, Unread int }

// Apply repeats the erasures of a list that this database does not know, as after a restore, and completes this program's own list. It may
// be interrupted and run again.
func (p *Privacy) Apply(ctx context.Context, from Listed) (Applied, error) {
	done := Applied{Unread: from.Unread}
	for _, e := range from.Entries {
		known, err := p.queries.ErasureHas(ctx, e.Subject)
		if err != nil {
			return done, err
		}
		if known {
			done.Known++
			continue
		}
		if err := p.reapply(ctx, e); err != nil {
			return done, fmt.Errorf("%s: %w", e.Subject, err)
		}
		done.Again++
	}
	return done, p.complete(ctx)
}

// complete adds the erasures of other processes to the list.
func (p *Privacy) complete(ctx context.Context) error {
	listed, err := p.list.Read()
	if err != nil || p.list == "" {
		return err
	}
	known := map[string]bool{}
	for _, e := range listed.Entries {
		known[e.Subject] = true
	}
	all, err := p.Erased(ctx)
	if err != nil {
		return err
	}
	var missing []Entry
	for _, e := range all {
		if !known[e.Subject] {
			missing = append(missing, e)
		}
	}
	return p.list.add(missing...)
}

// Erased lists the erasures that the database knows.
func (p *Privacy) Erased(ctx context.Context) ([]Entry, error) {
	rows, err := p.queries.ErasureList(ctx)
	entries := make([]Entry, len(rows))
	for i, r := range rows {
		entries[i] = Entry{Subject: r.Subject, At: r.ErasedAt}
	}
	return entries, err
}

// ApplyOwn applies this program's own list. After a restore it has entries that the database lacks.
func (p *Privacy) ApplyOwn(ctx context.Context) (Applied, error) {
	listed, err := p.list.Read()
	if err != nil {
		return Applied{}, err
	}
	return p.Apply(ctx, listed)
}
