package db_test

import (
	"testing"

	"forecourt/db"
	"forecourt/internal/check"
	"forecourt/internal/dbtest"
	"forecourt/internal/must"
)

func TestARecordOfSeveralShopsBecomesOneForEachLiveShop(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	backTo(t, pool, 213)
	for _, name := range []string{"ann", "bob"} {
		dbtest.Exec(t, pool, "INSERT INTO account (id, email, password_hash) VALUES (md5($1)::uuid, $1, '')", name)
	}
	for _, code := range []string{"bobs", "made", "live", "test", "known"} {
		dbtest.Exec(t, pool, "INSERT INTO client (code, name, accent, live) VALUES ($1, $1, '#123456', $1 = 'live')", code)
		dbtest.Exec(t, pool, "INSERT INTO client_admin (client_code, account_id) VALUES ($1, md5('ann')::uuid), ($1, md5('bob')::uuid)", code)
	}
	dbtest.Exec(t, pool, "INSERT INTO merchant (uuid, uid, code, name, mid, client_code) VALUES (md5('m')::uuid, md5('ann')::uuid, 'made', 'made', 'made', 'made')")
	dbtest.Exec(t, pool, "INSERT INTO compliance (id, name, applicant, client_code) VALUES ('anns', 'A', md5('ann')::uuid, NULL), ('bobs', 'B', md5('bob')::uuid, 'known'), ('wrong', 'W', md5('bob')::uuid, 'bobs')")
	dbtest.Exec(t, pool, "INSERT INTO compliance_admin (compliance_id, account_id) VALUES ('anns', md5('ann')::uuid), ('wrong', md5('ann')::uuid), ('wrong', md5('bob')::uuid)")
	dbtest.Exec(t, pool, "INSERT INTO shop_record SELECT code, 'anns' FROM client WHERE code IN ('bobs', 'made', 'live', 'test', 'known') UNION VALUES ('known', 'bobs'), ('bobs', 'wrong')")
	dbtest.Exec(t, pool, "WITH a AS (INSERT INTO audit (actor, action, subject) VALUES ('staff', 'compliance record made', 'compliance wrong')) "+
		"INSERT INTO form (account_id, kind, reached, data, state, reference, handed_in, submitted_at, decided_at, decided_by) VALUES (md5('ann')::uuid, 'application', 5, '{}', 'approved', 'A-2222-22', 1, now(), now(), 'staff')")
	must.NoError(t, db.Migrate(t.Context(), pool))
	for code, want := range map[string]string{"made": "anns of ann", "live": "another of ann", "test": "", "known": "bobs of bob", "bobs": "wrong of ann"} {
		got := dbtest.Value[string](t, pool, `SELECT coalesce(string_agg(CASE WHEN length(c.id) > 30 THEN 'another' ELSE c.id END || ' of ' || a.email, ', '), '')
			FROM compliance c JOIN account a ON a.id = c.applicant WHERE c.client_code = $1`, code)
		check.Equal(t, got, want, "for %s counts", code)
	}
	for _, code := range []string{"live", "bobs"} {
		check.Equal(t, dbtest.Value[string](t, pool, "SELECT string_agg(a.email, ', ') FROM compliance c JOIN compliance_admin m ON m.compliance_id = c.id JOIN account a ON a.id = m.account_id WHERE c.client_code = $1", code), "ann",
			"the record of %s is run by", code)
	}
}
