package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/embedded"
	"forecourt/internal/account"
	"forecourt/internal/resealing"
	"forecourt/internal/secret"
)

// wrongClock is how much clocks may differ.
const wrongClock = 5 * time.Second

// durability holds PostgreSQL's version and the settings that keep acknowledged payments through a crash.
type durability struct{ version, fsync, pages, commit, checksums string }

// database checks the settings that keep acknowledged payments through a crash, and the schema.
func (d *doctor) database(ctx context.Context) {
	if d.pool == nil {
		return
	}
	var s durability
	err := d.pool.QueryRow(ctx, `SELECT current_setting('server_version'), current_setting('fsync'), current_setting('full_page_writes'),
		current_setting('synchronous_commit'), current_setting('data_checksums')`).Scan(&s.version, &s.fsync, &s.pages, &s.commit, &s.checksums)
	if err != nil {
		d.add("database", fail, err.Error(), "")
		return
	}
	d.sayDurability(s)
	newerErr := db.Newer(ctx, d.pool)
	current, err := db.Current(ctx, d.pool)
	switch {
	case newerErr != nil:
		d.add("schema", fail, newerErr.Error(), "")
	case err != nil:
		d.add("schema", fail, err.Error(), "")
	case !current:
		d.add("schema", warn, "it is older than this program", "Run forecourt migrate, or start forecourt serve.")
	default:
		d.add("schema", fine, "up to date", "")
	}
}

// secret checks that the database belongs to the secret.
func (d *doctor) secret(ctx context.Context) {
	if d.pool == nil {
		return
	}
	var needs string
	err := d.pool.QueryRow(ctx, "SELECT fingerprint FROM secret_fingerprint").Scan(&needs)
	if err != nil {
		d.add("secret", warn, "the database has no fingerprint of it yet", "Run forecourt migrate, or start forecourt serve.")
		return
	}
	present := d.Secret
	if present == "" {
		present, err = loadSecret(d.folder, "secret")
	}
	switch has := secret.Fingerprint(present); {
	case err != nil:
		d.add("secret", fail, err.Error(), "")
	case has != needs:
		d.add("secret", fail, (&resealing.WrongError{Needs: needs, Has: has}).Error(),
			"Set FORECOURT_SECRET to that one, or run forecourt secret rotate.")
	default:
		d.add("secret", fine, "the database belongs to it, fingerprint "+has, "")
	}
}

func (d *doctor) sayDurability(s durability) {
	switch {
	case s.fsync != "on" || s.pages != "on" || s.commit == "off":
		says := fmt.Sprintf("fsync %s, full_page_writes %s, synchronous_commit %s: a crash may lose payments", s.fsync, s.pages, s.commit)
		d.add("durability", fail, says, "Turn all three on in postgresql.conf; forecourt serve refuses to start without them.")
	case s.checksums != "on":
		d.add("durability", warn, "PostgreSQL "+s.version+" runs without page checksums", "Run pg_checksums --enable while it is stopped.")
	default:
		d.add("durability", fine, "PostgreSQL "+s.version+", fsync and checksums on", "")
	}
}

// tuning prints the settings by which PostgreSQL fits its machine. The built-in PostgreSQL derives them from memory and disk when it
// starts.
func (d *doctor) tuning(ctx context.Context) {
	if d.pool == nil {
		return
	}
	rows, err := d.pool.Query(ctx, "SELECT name, current_setting(name) FROM pg_settings WHERE name = "+
		"ANY($1) ORDER BY array_position($1, name)",
		[]string{
			"shared_buffers", "effective_cache_size", "random_page_cost", "max_wal_size",
			"max_connections", "autovacuum_naptime", "autovacuum_vacuum_scale_factor", "autovacuum",
		})
	if err != nil {
		d.add("tuning", fail, err.Error(), "")
		return
	}
	var says []string
	var name, value string
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		says = append(says, name+" "+value)
		return nil
	})
	if err != nil {
		d.add("tuning", fail, err.Error(), "")
		return
	}
	if d.DatabaseURL == "" {
		says = append(says, fmt.Sprintf("on a machine with %.1f GB of memory", float64(embedded.Memory())/1e9))
	}
	d.sayTuning(says, value) // autovacuum is the last one
}

func (d *doctor) sayTuning(says []string, autovacuum string) {
	if autovacuum == "off" {
		d.add("tuning", warn, strings.Join(says, ", "), "Set autovacuum = on: tables grow with every change.")
		return
	}
	d.add("tuning", fine, strings.Join(says, ", "), "")
}

// clock compares this machine's clock with the database's. The gateway check compares it with the gateway's.
func (d *doctor) clock(ctx context.Context) {
	if d.pool == nil {
		return
	}
	before := time.Now()
	var there time.Time
	if err := d.pool.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&there); err != nil {
		return
	}
	d.sayClock("the database", there, before, time.Now())
}

// sayClock reports on a clock that was read between two moments.
func (d *doctor) sayClock(whose string, there, before, after time.Time) {
	off := there.Sub(after)
	if there.Before(before) {
		off = there.Sub(before)
	} else if there.Before(after) {
		off = 0
	}
	if off.Abs() > wrongClock {
		d.add(
			"clock", fail, fmt.Sprintf("the clock of %s differs by %s", whose, off.Round(time.Second)),
			"Turn on time synchronisation (systemd-timesyncd or chrony) on both.",
		)
		return
	}
	d.add("clock", fine, "the clock of "+whose+" agrees", "")
}

// passkeys counts the passkeys that belong to another name than the site's, with which nobody can sign in here.
func (d *doctor) passkeys(ctx context.Context) {
	if d.pool == nil || d.URL == nil {
		return
	}
	found, err := db.New(d.pool).PasskeyElsewhere(ctx, account.PasskeyName(d.URL))
	elsewhere := fmt.Sprintf("%d belong to another name than %s, and ", found.Passkeys, d.URL.Hostname())
	switch {
	case err != nil:
		d.add("passkeys", fail, err.Error(), "")
	case found.LockedOut > 0:
		d.add("passkeys", fail, fmt.Sprintf("%s%d people cannot sign in without them", elsewhere, found.LockedOut),
			"Set FORECOURT_URL back, or verify each of these people and run forecourt user two-step EMAIL --off.")
	case found.Passkeys > 0:
		d.add("passkeys", warn, elsewhere+"nobody can sign in with them here", "Their owners add new ones at /account/passkeys.")
	default:
		d.add("passkeys", fine, "all belong to "+d.URL.Hostname(), "")
	}
}
