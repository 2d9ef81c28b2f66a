package db_test

import (
	"testing"

	"forecourt/db"
	"forecourt/internal/check"
	"forecourt/internal/dbtest"
	"forecourt/internal/must"
)

func TestOldRecordsAreLinkedToTheirBusinessOnlyIfItIsCertain(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	backTo(t, pool, 96)
	for _, code := range []string{"cafe", "bar"} {
		dbtest.Exec(t, pool, "INSERT INTO client (code, name, accent) VALUES ($1, $1, '#123456')", code)
	}
	work := map[string][]string{"one@cafe": {"cafe"}, "two@cafe": {"cafe"}, "both": {"cafe", "bar"}, "bar": {"bar"}, "nowhere": nil}
	for name, clients := range work {
		dbtest.Exec(t, pool, "INSERT INTO account (id, email, password_hash) VALUES (md5($1)::uuid, $1, '')", name)
		for _, client := range clients {
			dbtest.Exec(t, pool, "INSERT INTO client_admin (client_code, account_id) VALUES ($2, md5($1)::uuid)", name, client)
		}
	}
	dbtest.Exec(t, pool, `INSERT INTO merchant (uuid, uid, code, name, mid, client_code)
		SELECT md5(code)::uuid, md5('bar')::uuid, code, code, code, client FROM (VALUES ('cafe', 'cafe'), ('stall', NULL)) v (code, client)`)
	for _, name := range []string{"dashboard", "no shop"} {
		dbtest.Exec(t, pool, "INSERT INTO account (id, email, password_hash) VALUES (md5($1)::uuid, $1, '')", name)
		dbtest.Exec(t, pool, "INSERT INTO merchant_admin (merchant_uuid, account_id) VALUES (md5($2)::uuid, md5($1)::uuid)", name, map[string]string{"dashboard": "cafe", "no shop": "stall"}[name])
	}
	records := []struct {
		id     string
		admins []string
		want   string // "" for no business
	}{
		{"one", []string{"one@cafe"}, "cafe"},
		{"two", []string{"one@cafe", "two@cafe"}, "cafe"},
		{"by-the-dashboard", []string{"one@cafe", "dashboard"}, "cafe"},
		{"of-two-businesses", []string{"one@cafe", "bar"}, ""},
		{"with-somebody-of-both", []string{"one@cafe", "both"}, ""},
		{"of-both", []string{"both"}, ""},
		{"with-somebody-of-none", []string{"one@cafe", "nowhere"}, ""},
		{"of-none", []string{"nowhere"}, ""},
		{"of-a-merchant-without-a-shop", []string{"no shop"}, ""},
		{"of-nobody", nil, ""},
	}
	for _, r := range records {
		dbtest.Exec(t, pool, "INSERT INTO compliance (id, name) VALUES ($1, 'A')", r.id)
		for _, admin := range r.admins {
			dbtest.Exec(t, pool, "INSERT INTO compliance_admin (compliance_id, account_id) VALUES ($1, md5($2)::uuid)", r.id, admin)
		}
	}
	must.NoError(t, db.Migrate(t.Context(), pool))
	for _, r := range records {
		check.Equal(t, dbtest.Value[string](t, pool, "SELECT coalesce(client_code, '') FROM compliance WHERE id = $1", r.id), r.want, "%s", r.id)
	}
}
