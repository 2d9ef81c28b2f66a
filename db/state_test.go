package db_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// listed matches each word of a CHECK list as PostgreSQL prints it: 'open'::text
var listed = regexp.MustCompile(`'([^']*)'::text`)

func TestStatesMatchTheSchema(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	constants := statesInCode(t)
	for _, c := range []struct{ typ, table, column string }{
		{"Attempt", "attempt", "state"},
		{"Method", "attempt", "method"},
		{"Refund", "refund", "state"},
		{"Line", "order_line", "status"},
		{"Movement", "payout_line", "kind"},
		{"Form", "form", "state"},
		{"GoLive", "go_live", "state"},
		{"Export", "export", "kind"},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			rule := dbtest.Value[string](t, pool, `SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
				JOIN pg_attribute a ON a.attrelid = k.conrelid AND k.conkey = ARRAY[a.attnum]
				WHERE k.contype = 'c' AND k.conrelid = $1::text::regclass AND a.attname = $2`, c.table, c.column)
			var want []string
			for _, word := range listed.FindAllStringSubmatch(rule, -1) {
				want = append(want, word[1])
			}
			if got := constants[c.typ]; len(got) == 0 || !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
				t.Errorf("state.%s has %q, the schema %q", c.typ, got, want)
			}
		})
	}
	// The column accepts any word, since a merchant's other programs may store their own states.
	want := []string{"new", "processing", "success", "completed", "paid", "error", "expired"}
	check.List(t, constants["Transaction"], want, "state.Transaction")
}

// statesInCode returns the constants of package state, keyed by their type.
func statesInCode(t *testing.T) map[string][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "state/state.go", nil, parser.SkipObjectResolution)
	check.Must(t, err)
	words := map[string][]string{}
	for n := range ast.Preorder(file) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			continue
		}
		typ, typed := spec.Type.(*ast.Ident)
		if !typed {
			continue
		}
		for _, value := range spec.Values {
			word, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			check.Must(t, err)
			words[typ.Name] = append(words[typ.Name], word)
		}
	}
	return words
}
