package privacy_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/privacy"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// nobody lists the tables that hold nothing of a person.
const nobody = `batch batch_row category certificate_file certificate_lock shop_event_last compliance compliance_text
	difference_accepted dispute document document_page document_version fee first_staff goose_db_version holiday item item_option_group kitchen_screen ledger_entry ledger_mark
	ledger_reading movement notice_day notice_due option_choice option_group payout payout_line picture receipt_key refund_limit refund_line restore
	river_leader river_migration river_notification river_queue secret_fingerprint security_document shop_day shop_holiday shop_location shop_table shortlink site_nav
	site_picture site_slide test_payment`

// others lists tables of people whose rows follow what others do: staff, payers, or the program.
const others = `audit closing compliance_person go_live invite mail payout_account refund river_job shop_account`

// A change that adds a table says what it holds of people. A table that holds nobody refers to no account.
func TestEveryTableIsInTheListOrHoldsNobody(t *testing.T) {
	t.Parallel()
	rows, err := dbtest.Pool(t).Query(t.Context(), `SELECT c.relname::text, EXISTS (SELECT FROM pg_constraint k
			WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid = 'account'::regclass)
		FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`)
	check.Must(t, err)
	said := strings.Fields(nobody)
	listed := map[string]bool{}
	for _, e := range privacy.OfAccount() {
		listed[e.Name] = true
		if !e.Says || slices.Contains(said, e.Name) {
			t.Errorf("table %s: the list says neither what an erasure does nor why its rows stay, or nobody names it, too", e.Name)
		}
	}
	for _, e := range privacy.OfAccount() {
		if len(e.Finds) > 0 && e.Most == "" && !slices.Contains(strings.Fields(others), e.Name) {
			t.Errorf("table %s: the list does not say how many rows a person can make", e.Name)
		}
	}
	var name string
	var ofAccount bool
	_, err = pgx.ForEachRow(rows, []any{&name, &ofAccount}, func() error {
		switch {
		case listed[name]:
			delete(listed, name)
		case ofAccount, !slices.Contains(said, name):
			t.Errorf("table %s: add it to the list in tables.go, or, if it holds nothing of a person, to nobody in this file", name)
		}
		said = slices.DeleteFunc(said, func(one string) bool { return one == name })
		return nil
	})
	check.Must(t, err)
	if len(listed)+len(said) > 0 {
		t.Errorf("tables that do not exist: %v and %v", slices.Sorted(maps.Keys(listed)), said)
	}
}

// plant adds rows of an account to the tables that member does not fill.
func plant(t *testing.T, app *apptest.App, id uuid.UUID, email string) {
	t.Helper()
	code := "c-" + id.String()[24:]
	for _, statement := range []string{
		"INSERT INTO shop (code, name, accent, mail, pl_merchant_email) SELECT @code, 'Canary', '#000000', @email, @email",
		"INSERT INTO shop_member (shop_code, account_id, role) SELECT c, @id, 'owner' FROM unnest(ARRAY[@code, 'panezski']) c ON CONFLICT DO NOTHING",
		"INSERT INTO merchant (uuid, uid, code, name, mid, signup_info) SELECT @id, @id, @code, 'Canary', @code, jsonb_build_object('mail', @email::text)",
		"INSERT INTO merchant_admin (merchant_uuid, account_id) SELECT @id, @id",
		`INSERT INTO merchant_invite (id, merchant_uuid, email, invited_by, expires_at)
			SELECT gen_random_uuid(), @id, m, @id, now() FROM unnest(ARRAY[@email::text, 'guest@example.com']) m`,
		"INSERT INTO invite (doc_id, shop_code, email, secret_key_hash, expires_at) SELECT @code, 'panezski', @email, 'h', now()",
		"INSERT INTO kitchen_device (id, shop_code, name, link_until, made_by) SELECT @id, @code, 'Grill', now(), @id",
		"INSERT INTO half_session (id_hash, account_id) SELECT sha256(@email::bytea), @id",
		"INSERT INTO kept (id, account_id, sealed) SELECT @id, @id, '\\x00'",
		"INSERT INTO password_reset (token_hash, account_id, expires_at) SELECT sha256(@email::bytea), @id, now()",
		"INSERT INTO verification (token_hash, account_id, expires_at) SELECT sha256(@email::bytea), @id, now() ON CONFLICT DO NOTHING",
		"INSERT INTO totp (account_id, sealed, setup_by) SELECT @id, '\\x00', @id",
		"INSERT INTO recovery_code (account_id, code_hash) SELECT @id, sha256(@email::bytea)",
		`INSERT INTO passkey (id, account_id, credential_id, public_key, rp_id, name, flags, sign_count)
			SELECT @id, @id, sha256(@email::bytea), '\\x00', 'rp', 'Phone', 0, 0`,
		"INSERT INTO notice_choice (shop_code, account_id, kind, mail, push) SELECT @code, @id, 'dispute', true, true",
		"INSERT INTO push_registration (key, endpoint, auth, p256dh) SELECT encode(sha256(@email::bytea), 'hex'), 'https://push.example/', '', ''",
		"INSERT INTO notice_browser (push_key, account_id) SELECT encode(sha256(@email::bytea), 'hex'), @id",
		`INSERT INTO export (id, shop_code, account_id, requested_by, kind, test_mode, since, before, time_zone, after_at)
			SELECT @id, @code, @id, @email, 'payments', false, now(), now(), 'UTC', now()`,
		"INSERT INTO erasure_ask (id, account_id) SELECT @id, @id",
		"INSERT INTO compliance (id, name) SELECT @code, 'Canary'",
		"INSERT INTO compliance_admin (compliance_id, account_id) SELECT @code, @id",
		`INSERT INTO compliance_person (compliance_id, number, required, sealed, state, reason, decided_by)
			SELECT @code, n, '{}', '', 'open', '', '' FROM generate_series(1, 2) n`,
		`INSERT INTO compliance (id, name) SELECT @code || '-x', 'Decided'`,
		`INSERT INTO compliance_person (compliance_id, number, required, sealed, state, reason, decided_by)
			SELECT @code || '-x', 1, '{}', '', 'accepted', 'by ' || @email::text, @email`,
		"INSERT INTO account (id, email, name, password_hash) SELECT gen_random_uuid(), @code || '@applicants.example', '', ''",
		`INSERT INTO form (account_id, kind, data, state, reference, handed_in, submitted_at, decided_at, decided_by, reason)
			SELECT id, 'application', '{}', 'approved', 'A-' || @ref || '-22', 1, now(), now(), @email, 'by ' || @email::text
			FROM account WHERE email = @code || '@applicants.example'`,
		"INSERT INTO shop_account (shop_code, live, paylink_mid, set_by) SELECT @code, false, 'm', @email",
		"INSERT INTO payout_account (id, shop_code, sealed, asked_by, reason) SELECT @id, @code, '\\x00', @email, 'by ' || @email::text",
		"INSERT INTO menu_draft (shop_code, revision, body, changed_by) SELECT @code, 1, '{}', @email ON CONFLICT DO NOTHING",
		"INSERT INTO menu_version (shop_code, no, body, made_by, published_at) SELECT @code, 1, '{}', @email, now()",
		`INSERT INTO closing (shop_code, test_mode, no, day, since, until_at, time_zone, business, abn, totals, signature, closed_by)
			SELECT @code, false, 1, now(), now(), now() + interval '1 day', 'UTC', 'Canary', '', '{}', '', @email`,
		"INSERT INTO audit (actor, action, subject) SELECT @email, 'member', @code",
		"INSERT INTO go_live (shop_code, state, asked_by, note) SELECT @code, 'approved', @email, 'call ' || @email::text",
		`INSERT INTO mail (id, key, kind, message_id, sender, recipient, subject, plain, html)
			SELECT gen_random_uuid(), @code, 'x', @code, 's', @email, 's', 'p', 'h'`,
		`INSERT INTO river_job (kind, state, args, max_attempts) SELECT 'mail', 'available', jsonb_build_object('to', @email::text), 1`,
	} {
		dbtest.Exec(t, app.Pool, statement, pgx.NamedArgs{"id": id, "email": email, "code": code, "ref": map[bool]string{true: "3333", false: "4444"}[email == ann]})
	}
}

// traded pays an order at the account's shop, refunds it and decides about it.
func traded(t *testing.T, app *apptest.App, id uuid.UUID, email string) {
	t.Helper()
	trx := app.Order(t)
	for _, statement := range []string{
		`INSERT INTO receipt (transaction_id, shop_code, token, business, merchant_mail, abn, gst_included, time_zone, descriptor)
			SELECT @trx, 'panezski', md5(@email), 'Canary', @email, '', true, 'UTC', ''`,
		"INSERT INTO paylink (transaction_id, shop_code, pl_name, pl_merchant_email) SELECT @trx, 'panezski', 'Canary', @email",
		`INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, reason, state, settled_at)
			SELECT @id, @trx, shop_code, 100, currency, test_mode, @email, now(), 'by ' || @email::text, 'declined', now()
			FROM transaction WHERE id = @trx`,
		`INSERT INTO refund_ask (transaction_id, shop_code, asked_by, amount_minor, reason, form)
			SELECT @trx, 'panezski', @email, 100, 'by ' || @email::text, ''`,
	} {
		dbtest.Exec(t, app.Owner(t), statement, pgx.NamedArgs{"id": id, "email": email, "trx": trx})
	}
}

// count counts the rows of a table that one of the conditions finds.
func count(t *testing.T, app *apptest.App, table string, conditions []string, args pgx.NamedArgs) int {
	t.Helper()
	where := strings.Join(append(conditions[:len(conditions):len(conditions)], "false"), " OR ")
	return dbtest.Value[int](t, app.Pool, fmt.Sprintf("SELECT count(*) FROM %s WHERE %s", table, where), args)
}

// unzip returns the files of an account's copy.
func unzip(t *testing.T, app *apptest.App, id uuid.UUID) map[string]string {
	t.Helper()
	var content bytes.Buffer
	check.Must(t, app.Privacy.Export(t.Context(), id, &content))
	r, err := zip.NewReader(bytes.NewReader(content.Bytes()), int64(content.Len()))
	check.Must(t, err)
	all := map[string]string{}
	for _, f := range r.File {
		part, err := f.Open()
		check.Must(t, err)
		text, err := io.ReadAll(part)
		check.Must(t, err)
		all[f.Name] = string(text)
	}
	return all
}

// A person with rows in every table of the list is copied whole and erased, and nothing of another such person changes.
func TestAnErasureReachesEveryTableOfTheList(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	annID := member(t, app)
	app.NewPerson(t).SignUp(t, "bob@example.org")
	bobID := dbtest.Value[uuid.UUID](t, app.Pool, "UPDATE account SET verified_at = now() WHERE email = 'bob@example.org' RETURNING id")
	for id, email := range map[uuid.UUID]string{annID: ann, bobID: "bob@example.org"} {
		plant(t, app, id, email)
		traded(t, app, id, email)
	}
	args := pgx.NamedArgs{"id": annID, "email": ann}
	copied := unzip(t, app, annID)
	for _, e := range privacy.OfAccount() {
		if len(e.Finds) == 0 {
			continue
		}
		if count(t, app, e.Name, e.Finds, args) == 0 {
			t.Errorf("table %s: nothing is planted", e.Name)
		}
		if e.Copied && copied[e.Name+".json"] == "" && copied["done-by-you/"+e.Name+".json"] == "" {
			t.Errorf("table %s: the copy has only %q", e.Name, slices.Sorted(maps.Keys(copied)))
		}
	}
	before := unzip(t, app, bobID)
	check.Must(t, app.Privacy.EraseAccount(t.Context(), annID))
	for _, e := range privacy.OfAccount() {
		check.Equal(t, count(t, app, e.Name, e.Gone, args), 0, "table %s: … rows are left", e.Name)
	}
	if left := holding(t, app.Pool, ann); !slices.Equal(left, []string{"audit.reason", "river_job.args"}) {
		t.Errorf("the address is still in %q", left) // see TestAnErasedAccountLeavesOnlyTheBooks
	}
	if after := unzip(t, app, bobID); !maps.Equal(before, after) {
		for name, text := range before {
			check.Equal(t, after[name], text, "%s of somebody else changed", name)
		}
	}
	check.ErrorIs(t, app.Privacy.Export(t.Context(), annID, io.Discard), privacy.ErrNobody, "a copy of the erased account")
}

func TestACopyHoldsThePersonsDataAndNothingOfOthers(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := member(t, app)
	for _, statement := range []string{
		"INSERT INTO recovery_code (account_id, code_hash) SELECT $1, decode(repeat('5e', 32), 'hex')",
		`INSERT INTO session (id_hash, handle, account_id, address, agent)
			SELECT decode(repeat('5e', 32), 'hex'), gen_random_uuid(), $1, '198.51.100.7', 'Firefox'`,
		"INSERT INTO compliance (id, name) SELECT r, 'Acme' FROM unnest(ARRAY['mine', 'shared']) r WHERE $1::uuid IS NOT NULL",
		"INSERT INTO compliance_admin SELECT r, $1 FROM unnest(ARRAY['mine', 'shared']) r",
		"INSERT INTO compliance_admin SELECT 'shared', id FROM account WHERE id <> $1 LIMIT 1",
		`INSERT INTO form (account_id, kind, data) SELECT id, 'ddtest', '{"name": "Others Ltd"}' FROM account WHERE id <> $1 LIMIT 1`,
	} {
		dbtest.Exec(t, app.Pool, statement, id)
	}
	all := unzip(t, app, id)
	for name, has := range map[string][]string{
		"README.txt": {"ann@example.com", "Never in a copy"}, "account.json": {"Ann Lee", ann}, "session.json": {"198.51.100.7", "Firefox"},
		"account_event.json": {"signed in"}, "shop_member.json": {"panezski", "owner"}, "form.json": {ann, "Acme", "A-2222-22"},
		"onboarding.json": {"Ann"}, "shop_invite.json": {"b•••@e•••.com"}, "done-by-you/audit.json": {"team invited", "shop panezski"},
		"done-by-you/go_live.json": {"sabona"}, "mail.json": {`"subject"`}, "identity/mine.json": {"Acme"},
	} {
		for _, text := range has {
			if !strings.Contains(all[name], text) {
				t.Errorf("%s lacks %q: %s (files: %q)", name, text, all[name], slices.Sorted(maps.Keys(all)))
			}
		}
	}
	for name, text := range all {
		for _, secret := range []string{"5e5e5e5e", "argon2", "bob@example.com", "staff@forecourt.test", "joann@example.com", "Others Ltd"} {
			check.Lacks(t, text, secret, "%s contains", name)
		}
	}
}

// The rows are packed before the reader gets the first byte, so a slow reader holds no connection.
func TestASlowReaderOfABigCopyHoldsNoConnection(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := member(t, app)
	dbtest.Exec(t, app.Pool, "INSERT INTO account_event (account_id, kind, agent) SELECT $1, 'x', md5(n::text) FROM generate_series(1, 20000) n", id)
	out := &watching{check: func() {
		check.Equal(t, app.Pool.Stat().AcquiredConns(), 0, "connections are held while the reader reads")
	}}
	check.Must(t, app.Privacy.Export(t.Context(), id, out))
	if out.bytes < 200_000 {
		t.Errorf("the copy has %d bytes", out.bytes)
	}
}

// watching calls check before the first byte.
type watching struct {
	check func()
	bytes int
}

func (w *watching) Write(text []byte) (int, error) {
	if w.bytes == 0 {
		w.check()
	}
	w.bytes += len(text)
	return len(text), nil
}
