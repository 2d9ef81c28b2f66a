package main

import (
	"log/slog"
	"net/http"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

func TestItSaysThatItListensOnlyOnceNothingCanStopItAnyMore(t *testing.T) {
	t.Parallel()
	pool, err := pgxpool.New(t.Context(), "postgres://127.0.0.1:1/away") // connects when it is used
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	public := &url.URL{Scheme: "http", Host: "pay.example"}
	s := &server{config: config{settings: settings{siteSettings: siteSettings{URL: public}}}, database: &database{pool: pool}, log: slog.New(slog.DiscardHandler)}
	err = s.work(t.Context(), &http.Server{}, func() { t.Error("it says so while its database is away") })
	if err == nil {
		t.Error("it works without its database")
	}
}
