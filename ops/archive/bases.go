package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A name begins with the identifier that PostgreSQL gave the database and the timeline, which a restore changes. The log of one is in the
// folder wal, base backups are in base.
const (
	logEnding  = ".zst.age"
	baseEnding = ".tar.zst.age"
	baseTime   = "20060102T150405.000Z"
)

var (
	segment      = regexp.MustCompile(`^[0-9A-F]{24}$`)
	systemFolder = regexp.MustCompile(`^[0-9]{1,20}/$`)
	// begins finds where in the log a copy, a segment or what belongs to one begins.
	begins = regexp.MustCompile(`^(?:[0-9]{8}T[0-9.]+Z-)?[0-9A-F]{8}([0-9A-F]{16})` +
		`(?:\.[0-9A-F]{8}\.backup|\.partial)?(?:\.tar)?\.zst\.age$`)
	// logFile matches the files that PostgreSQL archives: segments, histories of timelines, labels of backups, and the partial segment
	// that a recovery leaves at its end.
	logFile = regexp.MustCompile(`^[0-9A-F]{8}(?:[0-9A-F]{16}(?:\.[0-9A-F]{8}\.backup|\.partial)?|\.history)$`)
)

func logName(system, name string) string { return path.Join(system, name[:8], "wal", name+logEnding) }

// Base is a base backup.
type Base struct {
	Name  string    // in the archive
	Ended time.Time // when it was complete; it can be restored to any time from here on
	first string    // the first WAL segment that it needs
}

func newBase(system, first string, ended time.Time) Base {
	return Base{path.Join(system, first[:8], "base", ended.UTC().Format(baseTime)+"-"+first+baseEnding), ended, first}
}

// parseBase reads the name of a base. It returns false for any other name.
func parseBase(name string) (Base, bool) {
	at, first, _ := strings.Cut(strings.TrimSuffix(path.Base(name), baseEnding), "-")
	ended, err := time.Parse(baseTime, at)
	return Base{name, ended, first}, err == nil && segment.MatchString(first)
}

// System returns the identifier of the database that the archive holds. If it holds several, one has to be wanted.
func (a *Archive) System(ctx context.Context, wanted string) (string, error) {
	names, err := a.store.list(ctx, "")
	if err != nil {
		return "", err
	}
	var found []string
	for _, name := range names {
		if systemFolder.MatchString(name) {
			found = append(found, strings.TrimSuffix(name, "/"))
		}
	}
	switch {
	case wanted != "" && slices.Contains(found, wanted):
		return wanted, nil
	case len(found) == 1 && wanted == "":
		return found[0], nil
	case len(found) == 0 && slices.Contains(names, "database/"):
		return "", ErrOlder
	case len(found) == 0:
		return "", fmt.Errorf("%w: there is no copy of a database", ErrMissing)
	}
	return "", fmt.Errorf("it holds the databases %s: name one of them with --system", strings.Join(found, ", "))
}

// Bases lists the copies of a database that are not newer than a time, or all for the zero time, the newest first. Errors: ErrTooEarly,
// ErrMissing for an archive without copies.
func (a *Archive) Bases(ctx context.Context, system string, to time.Time) ([]Base, error) {
	timelines, err := a.store.list(ctx, system+"/")
	if err != nil {
		return nil, err
	}
	var bases []Base
	for _, timeline := range timelines {
		folder := path.Join(system, timeline, "base") + "/"
		names, err := a.store.list(ctx, folder)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if b, ok := parseBase(folder + name); ok {
				bases = append(bases, b)
			}
		}
	}
	if len(bases) == 0 {
		return nil, fmt.Errorf("%w: there is no copy of a database", ErrMissing)
	}
	slices.SortFunc(bases, func(one, other Base) int { return other.Ended.Compare(one.Ended) })
	oldest := bases[len(bases)-1]
	bases = slices.DeleteFunc(bases, func(b Base) bool { return !to.IsZero() && b.Ended.After(to) })
	if len(bases) == 0 {
		return nil, fmt.Errorf("%w: its oldest copy is of %s", ErrTooEarly, oldest.Ended.Format(time.RFC3339))
	}
	return bases, nil
}

// FetchBase opens, in a temporary file without a name, the newest base of a database that is not newer than a time, zero for any. System
// may be empty if the archive holds one database alone.
func (a *Archive) FetchBase(ctx context.Context, system string, to time.Time) (b Base, f *os.File, err error) {
	if system, err = a.System(ctx, system); err != nil {
		return b, nil, err
	}
	bases, err := a.Bases(ctx, system, to)
	if err != nil {
		return b, nil, err
	}
	b = bases[0]
	if f, err = os.CreateTemp("", spoolPrefix); err != nil {
		return b, nil, err
	}
	err = os.Remove(f.Name())
	if err == nil {
		err = a.get(ctx, b.Name, f)
	}
	if errors.Is(err, ErrUnreadable) {
		err = fmt.Errorf("%w; if others can be read, move this file away: an older copy and the log that follows lead to the same end", err)
	}
	if err != nil {
		return b, nil, errors.Join(err, f.Close())
	}
	return b, f, nil
}

// gap returns an error if a segment that the archive does not have is missing before the end of the log.
func (a *Archive) gap(ctx context.Context, system, name string) error {
	names, err := a.store.list(ctx, path.Dir(logName(system, name))+"/")
	if err != nil {
		return err
	}
	for _, later := range names {
		if later = strings.TrimSuffix(later, logEnding); segment.MatchString(later) && later > name {
			return fmt.Errorf("the archive has a gap: %s of its log is missing, and %s is there; "+
				"--to TIME restores what came before", name, later)
		}
	}
	return nil
}

// prune removes all but the newest copies of a database, as many as keep says, and the log that none of these needs. The histories of
// timelines stay.
func (a *Archive) prune(ctx context.Context, system string, keep int) error {
	bases, err := a.Bases(ctx, system, time.Time{})
	if err != nil || len(bases) <= keep {
		return err
	}
	needed := bases[0].first[8:]
	for _, b := range bases[:keep] {
		needed = min(needed, b.first[8:])
	}
	timelines, err := a.store.list(ctx, system+"/")
	for _, timeline := range timelines {
		for _, below := range []string{"/base/", "/wal/"} {
			err = errors.Join(err, a.pruneFolder(ctx, system+"/"+path.Clean(timeline)+below, needed))
		}
	}
	return err
}

// pruneFolder removes what begins before a segment, whose name comes without its timeline.
func (a *Archive) pruneFolder(ctx context.Context, folder, needed string) error {
	names, err := a.store.list(ctx, folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		found := begins.FindStringSubmatch(name)
		if found == nil || found[1] >= needed {
			continue
		}
		if err := a.store.remove(ctx, folder+name); err != nil {
			return err
		}
	}
	return nil
}
