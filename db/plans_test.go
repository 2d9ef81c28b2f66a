package db_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// statement is a generated query: its name in Go and its text.
var statement = regexp.MustCompile("(?m)^const (\\w+) = `([^`]+)`")

// grown are the tables that grow without bound.
var grown = []string{"transaction", "order_line", "attempt", "receipt", "refund", "order_key", "shop_event"}

// plan is a node of a plan.
type plan struct {
	NodeType string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Rows     float64 `json:"Actual Rows"` // per loop, if the plan ran
	Plans    []plan  `json:"Plans"`
}

// rowsOf returns how many rows of a table the plan read.
func (p plan) rowsOf(table string) (rows float64) {
	if p.Relation == table {
		rows = p.Rows
	}
	for _, child := range p.Plans {
		rows += child.rowsOf(table)
	}
	return rows
}

// waysInto returns the kinds of scan that read a table, such as "Index Only Scan", one for each scan.
func (p plan) waysInto(table string) (ways []string) {
	if p.Relation == table {
		ways = append(ways, p.NodeType)
	}
	for _, child := range p.Plans {
		ways = append(ways, child.waysInto(table)...)
	}
	return ways
}

// readsWhole lists the grown tables that a plan scans sequentially.
func (p plan) readsWhole() (tables []string) {
	if p.NodeType == "Seq Scan" && slices.Contains(grown, p.Relation) {
		tables = append(tables, p.Relation)
	}
	for _, child := range p.Plans {
		tables = append(tables, child.readsWhole()...)
	}
	return tables
}

// grownBy returns a connection to a database that holds the given number of past payments, after running statements and analysing the tables.
// It is not one of the program's, whose limits a slow machine may reach with so many rows.
func grownBy(t *testing.T, payments string, statements ...string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dbtest.URL(t))
	check.Must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) }) // the test's own context has already ended
	past, err := os.ReadFile("testdata/past.sql")
	check.Must(t, err)
	for _, sql := range slices.Concat([]string{"SET bench.past = " + payments, string(past)}, statements, []string{"VACUUM ANALYZE"}) {
		dbtest.Exec(t, conn, sql)
	}
	return conn
}

// planOf runs a query and returns its plan with actual figures.
func planOf(t *testing.T, conn *pgx.Conn, name string, args ...any) plan {
	t.Helper()
	files, err := filepath.Glob("*.sql.go")
	check.Must(t, err)
	for _, file := range files {
		source, err := os.ReadFile(file)
		check.Must(t, err)
		for _, found := range statement.FindAllStringSubmatch(string(source), -1) {
			if found[1] != name {
				continue
			}
			var plans []struct{ Plan plan }
			check.Must(t, conn.QueryRow(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+found[2], args...).Scan(&plans))
			return plans[0].Plan
		}
	}
	t.Fatalf("there is no query %s", name)
	return plan{}
}

// A connection may use a generic plan, whatever the values, from a statement's sixth run on.
func TestNoQueryScansAGrownTable(t *testing.T) {
	t.Parallel()
	conn := grownBy(t, "20000",
		`INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at, refundid, created_at)
			SELECT approved_attempt, id, shop_code, 1, currency, test_mode, 'ann', now(), 'done', now(), id, paid_at FROM transaction WHERE approved_attempt IS NOT NULL`,
		"INSERT INTO order_key SELECT shop_code, id, '', id, now() FROM transaction",
		`INSERT INTO shop_event (shop_code, subject, kind, about, test_mode, happened_at, number)
			SELECT shop_code, id, 'order.made', id, test_mode, created_at, row_number() OVER (ORDER BY created_at) FROM transaction`,
	)
	seen := 0
	files, err := filepath.Glob("*.sql.go")
	check.Must(t, err)
	for _, file := range files {
		source, err := os.ReadFile(file)
		check.Must(t, err)
		for _, found := range statement.FindAllStringSubmatch(string(source), -1) {
			results, err := conn.PgConn().Exec(t.Context(), "EXPLAIN (GENERIC_PLAN, FORMAT JSON) "+found[2]).ReadAll()
			if err != nil {
				t.Errorf("%s: %v", found[1], err)
				continue
			}
			var plans []struct{ Plan plan }
			check.Must(t, json.Unmarshal(results[0].Rows[0][0], &plans))
			if whole := plans[0].Plan.readsWhole(); len(whole) > 0 {
				t.Errorf("%s scans all of %v: %s", found[1], whole, results[0].Rows[0][0])
			}
			seen++
		}
	}
	if seen < 150 {
		t.Errorf("explained only %d queries", seen)
	}
}

// A business may have ten thousand payments a day, and its pages add them up on every request.
func TestSumsReadOnlyAnIndex(t *testing.T) {
	t.Parallel()
	moved := "UPDATE movement SET moved_at = now() - interval '12 hours' * (abs(hashtext(transaction_id)::float8) / 2147483648)"
	for name, args := range map[string][]any{
		"deskDay":      {"Australia/Sydney", "panezski", true, time.Now().Add(-12 * time.Hour), time.Now()},
		"deskOwedSums": {"panezski", true},
	} {
		plan := planOf(t, grownBy(t, "20000", moved), name, args...)
		check.List(t, plan.waysInto("movement"), []string{"Index Only Scan"}, "%s reads movements by", name)
		if read := plan.rowsOf("movement"); read < 10_000 {
			t.Errorf("%s reads %v rows, want at least 10,000", name, read)
		}
	}
}

// A busy kitchen has thousands of lines from the last half hour, and every tap redraws its screen.
func TestTheKitchenReadsOnlyItsNewestDoneLines(t *testing.T) {
	t.Parallel()
	conn := grownBy(t, "5000",
		"UPDATE order_line SET done_at = now() - interval '29 minutes' * abs(hashtext(transaction_id)::float8) / 2147483648 WHERE status = 'done'",
	)
	if read := planOf(t, conn, "kitchenDoneList", "panezski", 40).rowsOf("order_line"); read < 40 || read > 200 {
		t.Errorf("the 40 newest lines took %v of 12,000 rows", read)
	}
}
