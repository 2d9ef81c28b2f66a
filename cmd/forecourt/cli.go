package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/alecthomas/kong"

	"forecourt/bridge"
	"forecourt/internal/people/invite"
)

// cli is the tree of commands. A command is a struct of its flags and arguments with a Run method; help and the table in README.md
// follow from the tags. The tag see names a page below docs.
type cli struct {
	Serve      serveCommand      `cmd:"" help:"Run the web server; migrates first."`
	Migrate    migrateCommand    `cmd:"" help:"Bring the database up to date. Several may run at once."`
	Demo       demoCommand       `cmd:"" help:"Load the demo data: four businesses and examples to try. Existing rows stay unchanged."`
	User       userCommand       `cmd:"" help:"Make and change accounts."`
	Merchant   merchantCommand   `cmd:"" help:"Manage a business."`
	Invite     inviteCommand     `cmd:"" see:"decisions/0010-invites-and-batches.md" help:"${invite}"`
	Shortlink  shortlinkCommand  `cmd:"" help:"Manage the short links /s/CODE and their QR codes."`
	Doc        docCommand        `cmd:"" see:"store.md" help:"Manage documents: terms, privacy and any other long text."`
	Payments   paymentsCommand   `cmd:"" help:"List payments that wait for a person."`
	Refund     refundCommand     `cmd:"" help:"Refund a payment, in whole or in part."`
	Reconcile  reconcileCommand  `cmd:"" help:"Compare the database with the gateway's ledger."`
	Retention  retentionCommand  `cmd:"" see:"operations.md#retention" help:"${retention}"`
	Secret     secretCommand     `cmd:"" see:"operations.md#another-secret" help:"Replace the secret from which keys are derived."`
	Privacy    privacyCommand    `cmd:"" see:"security.md#what-is-kept-of-people" help:"${privacy}"`
	Backup     backupCommand     `cmd:"" see:"operations.md" help:"Copy the built-in database to a file while it is in use."`
	Restore    restoreCommand    `cmd:"" see:"operations.md" help:"Restore a backup, or the archive, into an empty data folder."`
	ArchiveKey archiveKeyCommand `cmd:"" see:"operations.md#archive" help:"Make the key of an archive."`
	Doctor     doctorCommand     `cmd:"" see:"operations.md#what-is-wrong" help:"${doctor}"`
	Bridge     bridgeCommand     `cmd:"" help:"Run the terminal service on a business's own computer."`
	Sandbox    sandboxCommand    `cmd:"" help:"Run the gateway simulator alone."`
	Version    versionCommand    `cmd:"" help:"Print the version."`
}

// commandTexts are the texts of help that are too long for the line of their command or flag.
var commandTexts = kong.Vars{
	"bridge_origin": bridge.OriginHelp,
	"invite":        "Invite users to generate a bearer token for the batch API of one business.",
	"retention":     "Delete drafts, images, sessions and audit months older than their retention period.",
	"privacy":       "Give people a copy of their data, or erase it. The books stay.",
	"doctor":        "Say what is wrong with this installation, and what to do about it.",
	"gateway_mid":   "Keep the account with this merchant id. The paylink password is the first line of the standard input.",
	"paylink_expires": "Last day to pay, in the business's time zone, or last moment, such as 2027-01-31 or 2027-01-31T09:30:00Z; " +
		"default: it never ends.",
	"migrate_for": "With DATABASE_URL: let this existing role read and write rows, so that forecourt serve can run as it.",
	"user_twostep": "Turn off the two-step sign-in of somebody who has lost it, and sign the account out everywhere. The owner is told " +
		"by email.",
}

func newParser(options ...kong.Option) (*kong.Kong, error) {
	return kong.New(&cli{}, append(options,
		kong.Name("forecourt"),
		kong.Description("Forecourt, the web front end of a payments provider. Settings are environment variables: see forecourt serve --help."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Vars{"days": strconv.Itoa(invite.DefaultDays), "most_days": strconv.Itoa(invite.MaxDays)},
		commandTexts,
	)...)
}

// spelled translates what are no commands to kong: help after a command, and user --staff, which means user staff.
func spelled(args []string) []string {
	if len(args) > 1 && args[0] == "user" && args[1] == "--staff" {
		return append([]string{"user", "staff"}, args[2:]...)
	}
	if len(args) > 0 && len(args) < 3 && args[len(args)-1] == "help" {
		return append(args[:len(args)-1:len(args)-1], "--help")
	}
	return args
}

// wordMisuse says in one line what is wrong with a command line.
func wordMisuse(err error) string {
	name := "forecourt"
	if misuse := (*kong.ParseError)(nil); errors.As(err, &misuse) && misuse.Context.Selected() != nil {
		name = misuse.Context.Selected().FullPath()
	}
	return fmt.Sprintf("%s: %s; see %s --help", name, err, name)
}
