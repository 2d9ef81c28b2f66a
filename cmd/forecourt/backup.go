package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"forecourt/ops/doctor"
	"forecourt/ops/embedded"
)

// keptFiles lists the files that a backup holds besides the database. Without the secret, everything that was encrypted with it would be
// lost. The sandbox's ledger is left out: it stands for the gateway's memory, and a restore does not make a gateway forget what it charged.
func keptFiles() []string { return []string{"secret"} }

// errOutside points the operators of an external database to its own tools.
var errOutside = errors.New("the database is external (DATABASE_URL): back it up with pg_dump or its own tools, see docs/operations.md")

// backupCommand writes a copy of the built-in database to a file, while the database is in use.
type backupCommand struct {
	File string `arg:"" help:"Where the copy goes."`
}

func (backupCommand) Help() string {
	return "The copy holds the built-in database and the secret. The program may go on serving. Guard the file as you would a key."
}

func (o backupCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	switch {
	case err != nil:
		return err
	case c.DatabaseURL != "":
		return errOutside
	}
	c.beside, c.existing = true, true
	d, taken, size, err := o.write(ctx, c, env)
	if err == nil {
		err = embedded.DropPrivileges(d.folder)
	}
	if err == nil {
		err = doctor.NoteBackup(d.folder, o.File)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.stdout, "%s: %.1f MB, of %s\n", o.File, float64(size)/1e6, taken.UTC().Format(time.RFC3339))
	return err
}

// write makes the whole file or none. A file that root makes still belongs to root, so that the service cannot change it.
func (o backupCommand) write(ctx context.Context, c config, env environment) (d *database, taken time.Time, size int64, err error) {
	half := o.File + ".part"
	if err := os.Remove(half); err != nil && !errors.Is(err, fs.ErrNotExist) { // left by a command that was killed
		return nil, taken, 0, err
	}
	f, err := os.OpenFile(half, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, taken, 0, err
	}
	err = embedded.AsOwner(cmp.Or(c.Data, "data"), func() (err error) {
		d, taken, size, err = env.fillBackup(ctx, c, f)
		return err
	})
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, taken, 0, errors.Join(err, os.Remove(half))
	}
	return d, taken, size, renameDurably(half, o.File)
}

// fillBackup opens the built-in database, writes the copy and closes the database again.
func (env environment) fillBackup(ctx context.Context, c config, f *os.File) (d *database, taken time.Time, size int64, err error) {
	if d, err = newDatabase(c, env.commandLog()); err != nil {
		return nil, taken, 0, err
	}
	address, err := d.startEmbedded(ctx, c, env.stderr)
	if err != nil {
		return nil, taken, 0, err
	}
	taken, size, err = writeBackup(ctx, address, d.folder, f)
	return d, taken, size, errors.Join(err, d.close(ctx))
}

// writeBackup writes the copy and then reads it back to verify it.
func writeBackup(ctx context.Context, address, folder string, f *os.File) (taken time.Time, size int64, err error) {
	made, err := embedded.Backup(ctx, address, folder, keptFiles(), f)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		size, err = f.Seek(0, io.SeekCurrent)
	}
	if err == nil {
		_, err = embedded.Verify(keptFiles(), io.NewSectionReader(f, 0, size))
	}
	return made.Taken, size, err
}
