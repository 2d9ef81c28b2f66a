package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"forecourt/db/embedded"
)

// keptFiles are what a backup holds in addition to the database: without the secret, what was encrypted with it is lost. The sandbox's
// ledger is not among them: it is the gateway's memory, and a gateway does not forget what it charged.
func keptFiles() []string { return []string{"secret"} }

// errOutside points operators of an outside database to its own tools.
var errOutside = errors.New("the database is outside (DATABASE_URL): back it up with pg_dump or its own tools, see docs/operations.md")

// backupCommand writes a copy of the built-in database to a file, while the database is in use.
type backupCommand struct {
	File string `arg:"" help:"Where the copy goes." missing:"which file?"`
}

// Help says how to keep it.
func (backupCommand) Help() string {
	return "The copy holds the built-in database and the secret. The program may go on serving. Keep the file as you keep a key."
}

// Run writes the file.
func (o backupCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	switch {
	case err != nil:
		return err
	case c.DatabaseURL != "":
		return errOutside
	}
	c.beside, c.existing = true, true
	d := newDatabase(c, env.commandLog())
	address, err := d.startEmbedded(ctx, c, env.stderr)
	if err != nil {
		return err
	}
	taken, size, err := writeBackup(ctx, address, d.folder, o.File)
	if err == nil {
		err = noteBackup(d.folder, o.File)
	}
	if err := errors.Join(err, d.close(ctx)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.stdout, "%s: %.1f MB, of %s\n", o.File, float64(size)/1e6, taken.UTC().Format(time.RFC3339))
	return err
}

// noteBackup writes the path of the last backup into the data folder, for forecourt doctor.
func noteBackup(folder, file string) error {
	at, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	return os.WriteFile(lastBackup(folder), []byte(at+"\n"), 0o600)
}

// writeBackup makes the file whole or not at all, and reads it back before it says so.
func writeBackup(ctx context.Context, address, folder, file string) (taken time.Time, size int64, err error) {
	half, err := os.OpenFile(file+".part", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return taken, 0, err
	}
	made, err := embedded.Backup(ctx, address, folder, keptFiles(), half)
	if err == nil {
		err = half.Sync()
	}
	if err == nil {
		_, err = half.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = embedded.Verify(keptFiles(), half)
	}
	if info, statErr := half.Stat(); statErr == nil {
		size = info.Size()
	}
	if err = errors.Join(err, half.Close()); err != nil {
		return taken, 0, errors.Join(err, os.Remove(half.Name()))
	}
	return made.Taken, size, os.Rename(half.Name(), file)
}
