package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"filippo.io/age"

	"forecourt/ops/archive"
	"forecourt/ops/embedded"
)

func (c *config) checkArchive() error {
	switch {
	case c.ArchiveTo == nil:
		return nil
	case c.DatabaseURL != "":
		return &settingError{"ARCHIVE_TO", "it archives the built-in database only; " +
			"archive one at DATABASE_URL with pgBackRest, see docs/operations.md"}
	case c.ArchiveRecipient == nil:
		return &settingError{"ARCHIVE_RECIPIENT", "it is required with ARCHIVE_TO; forecourt archive-key FILE makes one"}
	}
	if err := c.ArchiveTo.CheckOutside(or(c.Data, "data")); err != nil {
		return &settingError{"ARCHIVE_TO", err.Error()}
	}
	return nil
}

// archiveKeyCommand makes the key of an archive.
type archiveKeyCommand struct {
	File string `arg:"" help:"The file that gets the key."`
}

// Help says what becomes of it.
func (archiveKeyCommand) Help() string {
	return "It prints what ARCHIVE_RECIPIENT takes. " +
		"Move FILE to where it survives this machine: only forecourt restore --identity FILE opens the archive."
}

// Run makes the key, in the form of age-keygen.
func (o archiveKeyCommand) Run(env environment) error {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(o.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "# public key: %s\n%s\n", identity.Recipient(), identity)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.stdout, "ARCHIVE_RECIPIENT=%s\n", identity.Recipient())
	return err
}

// readIdentity reads the file of a key.
func readIdentity(file string) (*age.X25519Identity, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all, err := age.ParseIdentities(bytes.NewReader(text))
	if err == nil && len(all) == 1 {
		if one, ok := all[0].(*age.X25519Identity); ok {
			return one, nil
		}
	}
	return nil, fmt.Errorf("%s holds no key of forecourt archive-key", file)
}

// archiveLog has PostgreSQL archive its log if there is an archive.
func (c config) archiveLog(o *embedded.Options) {
	if c.ArchiveTo != nil && !c.unarchived {
		o.Archive, o.ArchiveEnvironment = archive.Push(c.ArchiveTo, c.ArchiveRecipient), archive.Environment()
	}
}

// copyToArchive adds copies of the whole database to the archive until ctx ends.
func (s *server) copyToArchive(ctx context.Context) {
	if s.ArchiveTo == nil {
		return
	}
	keeper := &archive.Keeper{Place: s.ArchiveTo, Recipient: s.ArchiveRecipient, Data: s.folder, Files: keptFiles(), Log: s.log}
	s.metrics.Register(archive.Collectors(keeper.Figures)...)
	go keeper.Run(ctx, s.server.DSN(embedded.Database))
}

// restoreArchive fills the data folder from the archive.
func (env environment) restoreArchive(ctx context.Context, c config, o restoreCommand) error {
	var to time.Time
	if o.To != "" {
		var err error
		if to, err = time.Parse(time.RFC3339, o.To); err != nil {
			return wrong("--to takes a time like 2025-01-31T09:30:00Z")
		}
	}
	identity, err := readIdentity(o.Identity) // as root, because the owner of the data folder may not be able to read it
	if err != nil {
		return err
	}
	var used string // the name of the copy of the whole database
	var reached time.Time
	err = env.putData(&c, func(folder string) (err error) {
		used, reached, err = recoverArchive(ctx, c.ArchiveTo, identity, o.System, folder, to)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s into %s: %w", c.ArchiveTo, c.Data, err)
	}
	_, err = fmt.Fprintf(env.stdout, "Used %s. The last restored change was made at %s.\n", used, reached.UTC().Format(time.RFC3339))
	if err != nil {
		return err
	}
	c.unarchived = true
	return env.closePayments(ctx, c, nil)
}

// recoverArchive restores to a time, or to the end of the archive if the time is zero or later than its end. It returns the name of the
// copy of the whole database that it used, and when the last change was made.
func recoverArchive(
	ctx context.Context, place *archive.Place, identity *age.X25519Identity, system, folder string, to time.Time,
) (used string, reached time.Time, err error) {
	a, err := archive.Open(place, nil, identity)
	if err != nil {
		return "", reached, err
	}
	base, file, err := a.FetchBase(ctx, system, to)
	if err != nil {
		return "", reached, err
	}
	defer func() { _ = file.Close() }()
	how := embedded.Recovery{To: to}
	how.Command, how.Environment = archive.Fetch(place, identity)
	reached, err = embedded.Recover(ctx, folder, keptFiles(), file, how)
	if errors.Is(err, embedded.ErrShort) {
		how.To = time.Time{}
		reached, err = embedded.Recover(ctx, folder, keptFiles(), file, how)
	}
	return base.Name, reached, err
}

// recoverBackup restores a backup. The restored database begins a timeline that the archive does not know: on the old one its files
// would have the names of others there.
func recoverBackup(ctx context.Context, c config, folder string, file io.ReadSeeker) error {
	var how embedded.Recovery
	if c.ArchiveTo != nil {
		how.Command, how.Environment = archive.Fetch(c.ArchiveTo, nil)
	}
	_, err := embedded.Recover(ctx, folder, keptFiles(), file, how)
	return err
}
