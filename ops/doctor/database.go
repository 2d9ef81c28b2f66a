package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"forecourt/db"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
)

const (
	// wrongClock is how much clocks may differ.
	wrongClock = 5 * time.Second
	// longSilence is how long PostgreSQL may archive nothing. A serving program writes to its log every 15 seconds.
	longSilence = 10 * time.Minute
)

// ofDatabase returns the checks of a database that answers.
func (d *Doctor) ofDatabase() []checkup {
	const older = "Run forecourt migrate, or start forecourt serve."
	return []checkup{
		{"durability", d.durability, ""}, {"schema", d.schema, ""}, {"pooler", d.pooler, "docs/scaling.md says how poolers are set up."},
		{"secret", d.secret, older}, {"clock", d.clock, ""}, {"passkeys", d.passkeys, ""}, {"archive", d.archived, ""},
		{"payments", d.payments, older},
	}
}

// durability holds PostgreSQL's version and settings that keep acknowledged payments through a crash, or its tables small.
type durability struct{ version, fsync, pages, commit, checksums, autovacuum string }

func (d *Doctor) durability(ctx context.Context) (Finding, error) {
	var s durability
	err := d.Pool.QueryRow(ctx, `SELECT current_setting('server_version'), current_setting('fsync'), current_setting('full_page_writes'),
		current_setting('synchronous_commit'), current_setting('data_checksums'), current_setting('autovacuum')`).
		Scan(&s.version, &s.fsync, &s.pages, &s.commit, &s.checksums, &s.autovacuum)
	return s.judge(), err
}

func (s durability) judge() Finding {
	switch {
	case s.fsync != "on" || s.pages != "on" || s.commit == "off":
		says := fmt.Sprintf("fsync %s, full_page_writes %s, synchronous_commit %s: a crash may lose payments", s.fsync, s.pages, s.commit)
		return Failing(says, "Turn all three on in postgresql.conf; forecourt serve refuses to start without them.")
	case s.checksums != "on":
		return Warning("PostgreSQL "+s.version+" runs without page checksums", "Run pg_checksums --enable while it is stopped.")
	case s.autovacuum == "off":
		return Warning("PostgreSQL "+s.version+" runs without autovacuum", "Set autovacuum = on: tables grow with every change.")
	}
	return Good("PostgreSQL " + s.version + ", fsync and checksums on")
}

func (d *Doctor) schema(ctx context.Context) (Finding, error) {
	if err := db.Newer(ctx, d.Pool); err != nil {
		return Finding{}, err
	}
	current, err := db.Current(ctx, d.Pool)
	if !current {
		return Warning("it is older than this program", "Run forecourt migrate, or start forecourt serve."), err
	}
	return Good("up to date"), err
}

// secret checks that the database belongs to the secret.
func (d *Doctor) secret(ctx context.Context) (Finding, error) {
	var needs string
	if err := d.Pool.QueryRow(ctx, "SELECT fingerprint FROM secret_fingerprint").Scan(&needs); err != nil {
		const do = "Run forecourt migrate, or start forecourt serve."
		return Warning("the database has no fingerprint of it yet", do), nil //nolint:nilerr // an older schema has no such table
	}
	present, err := d.Secret()
	if has := secret.Fingerprint(present); err == nil && has != needs {
		wrong := secret.WrongError{Needs: needs, Has: has}
		return Failing(wrong.Error(), "Set FORECOURT_SECRET to that one, or run forecourt secret rotate."), nil
	}
	return Good("the database belongs to it, fingerprint " + needs), err
}

// payments finds a restore whose import of the gateway's ledger was forgotten.
func (d *Doctor) payments(ctx context.Context) (Finding, error) {
	closed, err := db.New(d.Pool).RestoreClosed(ctx)
	if err != nil || !closed {
		return Finding{}, err
	}
	return Failing("a restore has closed all payments and refunds", "Run forecourt reconcile --import (docs/operations.md#backups)."), nil
}

// clock compares this machine's clock with the database's.
func (d *Doctor) clock(ctx context.Context) (Finding, error) {
	before := time.Now()
	var there time.Time
	err := d.Pool.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&there)
	return judgeClock("the database", there, before, time.Now()), err
}

// judgeClock is about a clock that was read between two moments.
func judgeClock(whose string, there, before, after time.Time) Finding {
	off := there.Sub(after)
	if there.Before(before) {
		off = there.Sub(before)
	} else if there.Before(after) {
		off = 0
	}
	if off.Abs() > wrongClock {
		return Failing(
			fmt.Sprintf("the clock of %s differs by %s", whose, off.Round(time.Second)),
			"Turn on time synchronisation (systemd-timesyncd or chrony) on both.",
		)
	}
	return Good("the clock of " + whose + " agrees")
}

// passkeys counts the passkeys that belong to another name than the site's, with which nobody can sign in here.
func (d *Doctor) passkeys(ctx context.Context) (Finding, error) {
	if d.URL == nil {
		return Finding{}, nil
	}
	found, err := db.New(d.Pool).PasskeyElsewhere(ctx, account.PasskeyName(d.URL))
	elsewhere := fmt.Sprintf("%d belong to another name than %s, and ", found.Passkeys, d.URL.Hostname())
	switch {
	case found.LockedOut > 0:
		return Failing(fmt.Sprintf("%s%d people cannot sign in without them", elsewhere, found.LockedOut),
			"Set FORECOURT_URL back, or verify each of these people and run forecourt user two-step EMAIL --off."), err
	case found.Passkeys > 0:
		return Warning(elsewhere+"nobody can sign in with them here", "Their owners add new ones at /account/passkeys."), err
	}
	return Good("all belong to " + d.URL.Hostname()), err
}

// pooler looks at a pooler in front of an external database, and at the connection past it over which events arrive.
func (d *Doctor) pooler(ctx context.Context) (Finding, error) {
	if d.DatabaseURL == "" {
		return Finding{}, nil
	}
	pool, err := db.Open(ctx, d.DatabaseURL, 1)
	if err != nil {
		return Finding{}, err
	}
	defer pool.Close()
	if err := d.Listens(ctx, pool); err != nil {
		return Failing(err.Error(), "Set DATABASE_LISTEN_URL to the same database without a pooler."), nil
	}
	problems, err := db.PoolerProblems(ctx, pool)
	if len(problems) > 0 {
		return Warning(strings.Join(problems, "; "), "docs/scaling.md says how poolers are set up."), err
	}
	return Finding{}, err
}

// archiving is what PostgreSQL says about the archiving of its log.
type archiving struct {
	mode         string
	last, failed *time.Time
}

func (d *Doctor) archived(ctx context.Context) (Finding, error) {
	var a archiving
	const ask = "SELECT current_setting('archive_mode'), last_archived_time, last_failed_time FROM pg_stat_archiver"
	err := d.Pool.QueryRow(ctx, ask).Scan(&a.mode, &a.last, &a.failed)
	return a.judge(time.Now()), err
}

func (a archiving) judge(now time.Time) Finding {
	switch {
	case a.mode == "off":
		return Warning("PostgreSQL's log is not archived: if the disk fails, everything since the last backup is lost",
			"See docs/operations.md#archive.")
	case a.failed != nil && (a.last == nil || a.failed.After(*a.last)):
		return Failing("the last try to archive failed at "+inUTC(*a.failed),
			"PostgreSQL's log (postgres.log in the data folder) says why; the disk fills up until archiving works again.")
	case a.last == nil:
		return Warning("nothing has been archived yet", "Look again in a few minutes.")
	case now.Sub(*a.last) > longSilence:
		return Warning("the last file was archived at "+inUTC(*a.last),
			"If a program has served since, see the log; an external PostgreSQL needs archive_timeout = 30.")
	}
	return Good("the last file was archived at " + inUTC(*a.last))
}
