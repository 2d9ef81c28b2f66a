package db_test

import (
	"crypto/rand"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// collectionRow is a line of the table in docs/store.md: collection, table, query.
var collectionRow = regexp.MustCompile("(?m)^\\| `([^`]+)`[^|]*\\| `([a-z_]+)` \\| `([A-Za-z]+)` \\|")

func TestEveryNamedCollectionHasATableAndAQuery(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/store.md")
	check.Must(t, err)
	rows := collectionRow.FindAllStringSubmatch(string(text), -1)
	tables, queries := all(t, "migrations/*.sql"), all(t, "queries/*.sql")
	t.Run("each collection has a table and a query (DOC-17)", func(t *testing.T) {
		for _, row := range rows {
			if !strings.Contains(tables, "CREATE TABLE "+row[2]+" (") && !strings.Contains(tables, " RENAME TO "+row[2]+";") {
				t.Errorf("%s: there is no table %s", row[1], row[2])
			}
			if !strings.Contains(queries, "-- name: "+row[3]+" ") {
				t.Errorf("%s: there is no query %s", row[1], row[3])
			}
		}
	})
	if lines := strings.Count(string(text), "\n| `"); len(rows) != lines || lines < 10 {
		t.Errorf("parsed %d of %d collections", len(rows), lines)
	}
}

// outside lists the folders that measure or test the program and are not part of it.
var outside = []string{".git", "node_modules", "tools", "app/apptest", "internal/kit/dbtest"}

func TestEveryQueryIsCalledByTheProgram(t *testing.T) {
	t.Parallel()
	var program strings.Builder
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(outside, strings.TrimPrefix(path, "../")):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".sql.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		program.Write(text)
		return err
	})
	check.Must(t, err)
	for _, query := range queryName.FindAllStringSubmatch(all(t, "queries/*.sql"), -1) {
		if !regexp.MustCompile(`\.` + query[1] + `\b`).MatchString(program.String()) {
			t.Errorf("the program does not call %s", query[1])
		}
	}
}

var queryName = regexp.MustCompile(`(?m)^-- name: (\w+) `)

func all(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	var text strings.Builder
	for _, file := range files {
		content, err := os.ReadFile(file)
		check.Must(t, err)
		text.Write(content)
	}
	return text.String()
}

// merchantMail makes the receipt of a payment of a transaction, and returns where the merchant's copy goes.
func merchantMail(t *testing.T, pool *pgxpool.Pool, transaction string) string {
	t.Helper()
	attempt := uuid.New()
	dbtest.Exec(t, pool, `INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until, state, settled_at)
		SELECT $1, id, shop_code, amount_minor, currency, test_mode, 'card', id, now(), 'approved', now() FROM transaction WHERE id = $2`, attempt, transaction)
	made, err := db.New(pool).ReceiptMake(t.Context(), attempt, rand.Text(), "")
	if err != nil || made.TransactionID != transaction {
		t.Fatalf("the receipt of %s: %+v, %v", transaction, made, err)
	}
	return made.MerchantMail
}
