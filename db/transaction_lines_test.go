package db_test

import (
	"reflect"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
)

func TestATransactionComesWithItsLines(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	single := app.Pool.Config()
	single.MaxConns = 1 // each call must release the connection
	pool, err := pgxpool.NewWithConfig(t.Context(), single)
	check.Must(t, err)
	t.Cleanup(pool.Close)
	queries := db.New(pool)
	want, err := queries.TransactionGet(t.Context(), id, "panezski")
	check.Must(t, err)
	lines, err := queries.OrderLineList(t.Context(), id, "panezski")
	if err != nil || len(lines) == 0 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	got, together, err := queries.TransactionWithLines(t.Context(), id, "panezski")
	if want.Now = got.Now; err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(together, lines) {
		t.Errorf("got %+v with %+v, %v", got, together, err)
	}
	for _, key := range [][2]string{{"nothing", "panezski"}, {id, "moollar"}} {
		got, lines, err := queries.TransactionWithLines(t.Context(), key[0], key[1])
		check.ErrorIs(t, err, pgx.ErrNoRows, "transaction %v: %+v with %+v", key, got, lines)
	}
}
