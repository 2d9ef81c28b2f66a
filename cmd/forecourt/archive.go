package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

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
	if err := c.ArchiveTo.CheckOutside(cmp.Or(c.Data, "data")); err != nil {
		return &settingError{"ARCHIVE_TO", err.Error()}
	}
	return nil
}

// archiveKeyCommand makes the key of an archive.
type archiveKeyCommand struct {
	File string `arg:"" help:"The file that gets the key."`
}

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

// archiveLog has PostgreSQL archive its WAL if there is an archive.
func (c config) archiveLog(o *embedded.Options) {
	if c.ArchiveTo != nil && !c.unarchived {
		o.Archive, o.ArchiveEnvironment = archive.Push(c.ArchiveTo, c.ArchiveRecipient), archive.Environment()
	}
}

// copyToArchive adds base backups to the archive until ctx ends.
func (s *server) copyToArchive(ctx context.Context) {
	if s.ArchiveTo == nil {
		return
	}
	keeper := &archive.Keeper{Place: s.ArchiveTo, Recipient: s.ArchiveRecipient, Data: s.folder, Files: keptFiles(), Log: s.log}
	s.metrics.Register(archive.Collectors(keeper.Figures)...)
	go keeper.Run(ctx, s.server.DSN(embedded.Database))
}
