package privacy_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/dbtest"
	"forecourt/internal/privacy"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// A commit that adds a table or a column must say what it holds about people.
func TestEveryColumnDeclaresItsPersonalData(t *testing.T) {
	t.Parallel()
	rows, err := dbtest.Pool(t).Query(t.Context(), `
		SELECT c.relname::text, array_agg(a.attname::text ORDER BY a.attnum),
			EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid = 'account'::regclass)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY c.oid, c.relname`)
	if err != nil {
		t.Fatal(err)
	}
	schema := map[string][]string{}
	var name string
	var columns []string
	var ofAccount bool
	said := map[string]privacy.Table{}
	for _, table := range privacy.Tables() {
		if _, twice := said[table.Name]; twice {
			t.Errorf("internal/privacy/tables.go has two lines for table %s", table.Name)
		}
		said[table.Name] = table
	}
	_, err = pgx.ForEachRow(rows, []any{&name, &columns, &ofAccount}, func() error {
		schema[name] = slices.Clone(columns)
		table, found := said[name]
		if !found {
			account := ""
			if ofAccount {
				account = `Of: "the same: WHAT", Kept: "HOW LONG", Account: "account_id", Drop: true, `
			}
			t.Errorf("table %s: its personal data is not declared. Add this line to tables in internal/privacy/tables.go, move each column that says something of a person to Person, and each secret to Secret:\n\t{Name: %q, %sOther: %q},\nthen run make generate", name, name, account, strings.Join(columns, " "))
			return nil
		}
		if ofAccount && table.Account == "" && table.Erased == "" {
			t.Errorf("table %s refers to account: say in internal/privacy/tables.go in which column (Account), and whether its rows go with it (Drop)", name)
		}
		for _, column := range columns {
			switch n := strings.Count(" "+table.Person+" "+table.Secret+" "+table.Actor+" "+table.Words+" "+table.Other+" ", " "+column+" "); {
			case n == 0:
				t.Errorf("table %s, column %s: its personal data is not declared. Add %q to Person, Secret, Actor, Words or Other of the line {Name: %q …} in internal/privacy/tables.go, then run make generate", name, column, column, name)
			case n > 1:
				t.Errorf("table %s, column %s: internal/privacy/tables.go names it twice", name, column)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range privacy.Tables() {
		columns, found := schema[table.Name]
		if !found {
			t.Errorf("table %s does not exist: remove its line from internal/privacy/tables.go", table.Name)
			continue
		}
		for _, column := range strings.Fields(strings.Join([]string{table.Person, table.Secret, table.Actor, table.Words, table.Other, table.Account, table.Made}, " ")) {
			if !slices.Contains(columns, column) {
				t.Errorf("table %s has no column %s: remove it from internal/privacy/tables.go", table.Name, column)
			}
		}
		if table.Of != "" && table.Kept == "" || table.Of == "" && table.Person+table.Actor != "" {
			t.Errorf("table %s: internal/privacy/tables.go must say whom it is about (Of) and how long it is kept (Kept)", table.Name)
		}
		if table.Person != "" && table.Erased == "" && !table.Drop {
			t.Errorf("table %s: internal/privacy/tables.go must say what an erasure does to it (Erased or Drop)", table.Name)
		}
	}
}

func write(t *testing.T, list privacy.List, text string) {
	t.Helper()
	if err := os.WriteFile(string(list), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, list privacy.List) privacy.Listed {
	t.Helper()
	listed, err := list.Read()
	if err != nil {
		t.Fatal(err)
	}
	return listed
}
