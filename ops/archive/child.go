package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"filippo.io/age"
	"golang.org/x/sys/unix"
)

// The first arguments of a program that PostgreSQL starts for a WAL file.
const (
	pushCommand  = "wal-push"
	fetchCommand = "wal-fetch"
)

// identityVariable tells a child that restores the identity. PostgreSQL has it only during a restore.
const identityVariable = "FORECOURT_IDENTITY"

// PostgreSQL distinguishes these exit codes: after 1 it tries again or, in a recovery, takes the log to have ended; after one above 125 a
// recovery fails.
const (
	exitAgain = 1
	exitFatal = 200
)

const (
	fileWithin = 2 * time.Minute  // how long a WAL file may take
	fullWithin = 10 * time.Second // how long while the disk fills up
)

// Files that a child writes beside PostgreSQL's own, in its data directory.
const (
	putNote = "forecourt.archived" // what was put last
	gapNote = "forecourt.gap"      // the last segment that was given up; the next copy of the whole database removes it
)

// Push returns the command by which PostgreSQL archives a WAL file, without the file.
func Push(p *Place, recipient age.Recipient) []string {
	return []string{pushCommand, p.String(), fmt.Sprint(recipient)}
}

// Fetch returns the command by which PostgreSQL restores a WAL file, without the file, and the variables that it needs. Without an
// identity it only finds out which timelines there are.
func Fetch(p *Place, identity *age.X25519Identity) (command, environment []string) {
	if environment = Environment(); identity != nil {
		environment = append(environment, identityVariable+"="+identity.String())
	}
	return []string{fetchCommand, p.String()}, environment
}

// Child must be among the first calls of main, and of the TestMain of packages that archive. In a process that PostgreSQL started for
// a WAL file, whose working directory is that of the data, it archives or restores the file, and exits.
func Child() {
	if len(os.Args) != 5 || os.Args[1] != pushCommand && os.Args[1] != fetchCommand {
		return
	}
	run := push
	if os.Args[1] == fetchCommand {
		run = fetch
	}
	code := exitFatal
	place, err := ParsePlace(os.Args[2])
	if err == nil {
		code, err = run(place, os.Args[3], os.Args[4])
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "forecourt %s: %v\n", os.Args[1], err)
	}
	os.Exit(code)
}

// push archives a file.
func push(place *Place, to, file string) (code int, err error) {
	recipient, err := age.ParseX25519Recipient(to)
	if err != nil {
		return exitAgain, err
	}
	a, err := Open(place, recipient, nil)
	if err != nil {
		return exitAgain, err
	}
	given, err := a.pushInTime(context.Background(), ".", file, freeBytes)
	if err != nil && !given {
		return exitAgain, err
	}
	return 0, err
}

// pushInTime archives a file of the database in data. After a failure PostgreSQL keeps the file and tries again, so the disk fills up.
// Once the waiting files are as large as the free space, pushInTime gives the file up: a database that stops is worse than an archive
// with a gap.
func (a *Archive) pushInTime(ctx context.Context, data, file string, free func(string) (uint64, error)) (given bool, err error) {
	limit := fileWithin
	if full(data, free) {
		limit = fullWithin
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errors.New("the archive does not answer"))
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- a.pushFile(ctx, data, file) }()
	select {
	case err = <-done:
	case <-ctx.Done(): // nothing interrupts a system call
		err = context.Cause(ctx)
	}
	if err == nil || !full(data, free) {
		return false, err
	}
	noted := writeNote(filepath.Join(data, gapNote), []string{filepath.Base(file)})
	return noted == nil, fmt.Errorf("%s is given up, because the disk fills up: %w", filepath.Base(file), errors.Join(err, noted))
}

// pushFile puts a WAL file of the database in data.
func (a *Archive) pushFile(ctx context.Context, data, file string) error {
	name := filepath.Base(file)
	if !logFile.MatchString(name) {
		return fmt.Errorf("%q is no file of the log", name)
	}
	system, err := System(data)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(filepath.Join(data, file))
	if err != nil {
		return err
	}
	var sealed bytes.Buffer
	if err := a.sealLog(&sealed, content); err != nil {
		return err
	}
	return putOnce(filepath.Join(data, putNote), name, content, func() error {
		return a.store.put(ctx, logName(system, name), io.NewSectionReader(bytes.NewReader(sealed.Bytes()), 0, int64(sealed.Len())))
	})
}

// notedFiles are as many as PostgreSQL may archive again: after a crash the last one, or the one that failed before a history came
// between.
const notedFiles = 16

// putOnce calls put, which returns ErrExists if there is a file of that name. Sealing the same content twice gives two different
// files, and a key that can only put cannot look. So a note in the data directory says what was put under which name: if that is the
// same content, putOnce returns nil.
func putOnce(note, name string, content []byte, put func() error) error {
	sum := sha256.Sum256(content)
	entry := name + " " + hex.EncodeToString(sum[:])
	text, err := os.ReadFile(note)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	before := strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
	again := slices.Contains(before, entry)
	if !again {
		// An earlier put may have ended without an answer, so the note comes first.
		if err := writeNote(note, append(before[max(0, len(before)-notedFiles+1):], entry)); err != nil {
			return err
		}
	}
	err = put()
	if !errors.Is(err, ErrExists) {
		return err
	}
	if again {
		return nil
	}
	return errors.Join(err, writeNote(note, before))
}

func writeNote(file string, lines []string) error {
	f, err := os.OpenFile(file+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, strings.Join(lines, "\n")+"\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// full reports whether the WAL files that wait to be archived take as much of the disk of a data directory as is left.
func full(data string, free func(string) (uint64, error)) bool {
	left, err := free(data)
	return err == nil && waiting(data) >= left
}

func freeBytes(dir string) (uint64, error) {
	var disk unix.Statfs_t
	err := unix.Statfs(dir, &disk)
	return disk.Bavail * uint64(disk.Bsize), err //nolint:gosec // a block's size is positive
}

// waiting returns how many bytes of the log are complete and not archived yet.
func waiting(data string) uint64 {
	ready, _ := filepath.Glob(filepath.Join(data, "pg_wal", "archive_status", "*.ready")) // fails only for a malformed pattern
	return uint64(len(ready)) * (16 << 20)
}

// System returns the identifier that PostgreSQL gave the database in its data directory; a restored copy has the same one. In every version
// the control file begins with it.
func System(data string) (string, error) {
	f, err := os.Open(filepath.Join(data, "global", "pg_control"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	var number [8]byte
	if _, err := io.ReadFull(f, number[:]); err != nil {
		return "", err
	}
	return strconv.FormatUint(binary.NativeEndian.Uint64(number[:]), 10), nil
}

// fetch restores a WAL file.
func fetch(place *Place, name, to string) (code int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), fileWithin)
	defer cancel()
	if !logFile.MatchString(name) {
		return exitAgain, nil
	}
	var identity age.Identity
	if text := os.Getenv(identityVariable); text != "" {
		if identity, err = age.ParseX25519Identity(text); err != nil {
			return exitFatal, err
		}
	}
	a, err := Open(place, nil, identity)
	if err != nil {
		return exitFatal, err
	}
	content, err := a.fetchFile(ctx, ".", name)
	if errors.Is(err, ErrMissing) {
		return exitAgain, nil
	}
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	if err != nil {
		return exitFatal, err
	}
	return 0, nil
}

// fetchFile returns a WAL file for the database in data, or ErrMissing where recovery has to end.
func (a *Archive) fetchFile(ctx context.Context, data, name string) ([]byte, error) {
	system, err := System(data)
	if err != nil {
		return nil, err
	}
	if a.identity == nil {
		if !strings.HasSuffix(name, ".history") {
			return nil, ErrMissing // a backup holds all that it needs of the log
		}
		body, err := a.store.get(ctx, logName(system, name))
		if err != nil {
			return nil, err
		}
		return nil, body.Close() // only that there is one matters
	}
	content, err := a.getLog(ctx, logName(system, name))
	if !errors.Is(err, ErrMissing) || !segment.MatchString(name) {
		return content, err
	}
	if _, there := os.Stat(filepath.Join(data, "pg_wal", name)); there == nil {
		return nil, err // the base backup holds the log that it needs
	}
	if err := a.gap(ctx, system, name); err != nil {
		return nil, err
	}
	return nil, err
}
