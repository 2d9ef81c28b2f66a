// Package archive keeps a copy of the built-in database outside its machine, in a folder or a bucket: copies of the whole database from
// time to time, and PostgreSQL's log as it is written. Everything is encrypted before it leaves, in the age format with a passphrase.
package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"forecourt/internal/archive/store"
	"forecourt/internal/secret"
)

// ErrMissing means that the archive does not have a file.
var ErrMissing = store.ErrMissing

// ErrOther means that the archive belongs to another database.
var ErrOther = errors.New("the archive holds another database: restore that one, or archive to another place")

// Archive is the archive of one database. It is safe for concurrent use.
type Archive struct {
	store store.Store
	key   secret.Text
	spool string // folder for temporary files
	named bool   // every file has to hold its name; see Trust
}

// Open returns the archive at a place. It keeps temporary files in spool, encrypted.
func Open(p *Place, access Access, key secret.Text, spool string) *Archive {
	a := &Archive{key: key, spool: spool}
	if p.Bucket() {
		a.store = store.NewBucket(p.base, p.prefix, access)
	} else {
		a.store = store.NewFolder(p.folder)
	}
	return a
}

// spoolPrefix begins the names of temporary files.
const spoolPrefix = ".archive-"

// put encrypts and stores what fill writes. It calls name after fill.
func (a *Archive) put(ctx context.Context, name func() (string, error), fill func(io.Writer) error) error {
	f, err := os.CreateTemp(a.spool, spoolPrefix)
	if err != nil {
		return err
	}
	defer func() {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}()
	w, err := seal(f, a.key)
	if err != nil {
		return err
	}
	if err := fill(w); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err // once a file of its log is given up, PostgreSQL may reuse it while we read it
	}
	as, err := name()
	if err != nil {
		return err
	}
	if _, err := w.Write(nameFrame(as)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return a.store.Put(ctx, as, f)
}

// get calls read with the content of a file, and reads the rest of it.
func (a *Archive) get(ctx context.Context, name string, read func(io.Reader) error) error {
	_, err := a.getNamed(ctx, name, read)
	return err
}

// getNamed does what get does, and reports whether the file holds its name.
func (a *Archive) getNamed(ctx context.Context, name string, read func(io.Reader) error) (named bool, err error) {
	body, err := a.store.Get(ctx, name)
	if err != nil {
		return false, err
	}
	defer body.Close()
	source := &noted{Reader: body}
	defer func() {
		if errors.Is(source.err, store.ErrBroken) { // what was read before it may look damaged
			err = fmt.Errorf("%s in the archive: %w", name, source.err)
		}
	}()
	plain, err := unseal(source, a.key)
	if err != nil {
		return false, fmt.Errorf("%s in the archive: %w", name, err)
	}
	content := newNamedReader(plain, name)
	err = read(content)
	if err == nil {
		_, err = io.Copy(io.Discard, content)
	}
	if err == nil && a.named && !content.named {
		err = errUnnamed
	}
	if err != nil {
		return false, fmt.Errorf("%s in the archive: %w", name, err)
	}
	return content.named, nil
}

// noted is a reader that keeps the error with which it ended.
type noted struct {
	io.Reader
	err error
}

func (n *noted) Read(p []byte) (size int, err error) {
	size, err = n.Reader.Read(p)
	if err != nil {
		n.err = err
	}
	return size, err
}

// Trust prepares for a restore: if the archive was begun with names in its files, files without a name are refused from now on.
func (a *Archive) Trust(ctx context.Context) error {
	named, err := a.getNamed(ctx, systemName, func(io.Reader) error { return nil })
	a.named = named
	return err
}

// systemName is the file that says whose archive it is.
const systemName = "database/system" + ending

// CheckOwner returns nil if the archive holds the database with a system identifier. Errors: ErrMissing for an empty archive, ErrOther for
// another database's, ErrDamaged for another key.
func (a *Archive) CheckOwner(ctx context.Context, system string) error {
	return a.get(ctx, systemName, func(r io.Reader) error {
		if there, err := io.ReadAll(io.LimitReader(r, 64)); err != nil {
			return err
		} else if string(there) != system {
			return ErrOther
		}
		return nil
	})
}

// Claim reserves an empty archive for the database with a system identifier. It returns the errors of CheckOwner, except ErrMissing.
func (a *Archive) Claim(ctx context.Context, system string) error {
	err := a.CheckOwner(ctx, system)
	if !errors.Is(err, ErrMissing) {
		return err
	}
	return a.put(ctx, func() (string, error) { return systemName, nil }, func(w io.Writer) error {
		_, err := io.WriteString(w, system)
		return err
	})
}

// PutBase stores a copy of the whole database. fill writes the copy, waits until the log that it needs is stored, and returns the first
// segment of that log.
func (a *Archive) PutBase(ctx context.Context, fill func(io.Writer) (first string, err error)) (Base, error) {
	var b Base
	err := a.put(ctx, func() (string, error) {
		b.Ended = time.Now().UTC()
		b.Name = baseName(b.Ended, b.First)
		return b.Name, nil
	}, func(w io.Writer) (err error) {
		b.First, err = fill(w)
		return err
	})
	return b, err
}

// Bases lists the copies of the whole database, the oldest first.
func (a *Archive) Bases(ctx context.Context) ([]Base, error) {
	entries, err := a.store.List(ctx, baseFolder)
	var bases []Base
	for _, e := range entries {
		if b, ok := parseBase(e); ok {
			bases = append(bases, b)
		}
	}
	return bases, err
}

// Prune removes copies of the whole database, the log that none of the others needs, and incomplete files of programs that were killed. made
// are the names of the copies that this database's program made, the oldest first. The last of them stay, as many as keep says; Prune
// returns their names. Other copies go once they are older than these, so that somebody who can only add files cannot push one out.
func (a *Archive) Prune(ctx context.Context, made []string, keep int) (kept []string, err error) {
	cleaned := a.store.Clean(ctx) // a part that stays only takes room
	defer func() { err = errors.Join(err, cleaned) }()
	bases, err := a.Bases(ctx)
	if err != nil || len(bases) == 0 {
		return made, err
	}
	old, kept := outdated(bases, made, keep)
	for _, name := range old {
		if err := a.store.Remove(ctx, name); err != nil {
			return made, err
		}
	}
	needed := ""
	for _, b := range bases {
		if after := b.First[8:]; !slices.Contains(old, b.Name) && (needed == "" || after < needed) {
			needed = after
		}
	}
	return kept, a.pruneLog(ctx, needed)
}

// outdated returns the names of the copies that Prune removes, and of those that this database's program made and that stay.
func outdated(bases []Base, made []string, keep int) (old, kept []string) {
	there := map[string]Base{}
	for _, b := range bases {
		there[b.Name] = b
	}
	for _, name := range made {
		if _, ok := there[name]; ok {
			kept = append(kept, name)
		}
	}
	if len(kept) < keep {
		return nil, kept
	}
	old, kept = slices.Clip(kept[:len(kept)-keep]), kept[len(kept)-keep:]
	oldest := there[kept[0]].Ended
	for _, name := range kept { // a clock may have run ahead
		if at := there[name].Ended; at.Before(oldest) {
			oldest = at
		}
	}
	for _, b := range bases {
		if !slices.Contains(made, b.Name) && b.Ended.Before(oldest) {
			old = append(old, b.Name)
		}
	}
	return old, kept
}

// pruneLog removes the segments before needed, a segment's name without its timeline.
func (a *Archive) pruneLog(ctx context.Context, needed string) error {
	entries, err := a.store.List(ctx, logFolder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := parseLog(e); isLog(name) && name[8:24] < needed {
			if err := a.store.Remove(ctx, e.Name); err != nil {
				return err
			}
		}
	}
	return nil
}
