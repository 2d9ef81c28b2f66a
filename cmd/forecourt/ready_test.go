package main

import (
	"log/slog"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app"
	"forecourt/internal/kit/check"
	"forecourt/internal/pay/gateway"
)

func TestTheReadyLineComesAfterEverythingThatCanFail(t *testing.T) {
	t.Parallel()
	pool, err := pgxpool.New(t.Context(), "postgres://127.0.0.1:1/away") // it connects when it is used
	check.Must(t, err)
	defer pool.Close()
	public := &url.URL{Scheme: "http", Host: "pay.example"}
	log := slog.New(slog.DiscardHandler)
	site, err := app.Open(app.Config{
		Settings: app.Settings{BridgeURL: public, CRMSocketURL: public},
		Pool:     pool, Log: log, PublicURL: public, Gateway: gateway.New(gateway.Config{}),
	})
	check.Must(t, err)
	s := &server{config: config{URL: public}, database: &database{pool: pool, log: log}}
	err = s.work(t.Context(), site, func() { t.Error("ready without a database") })
	check.Error(t, err, "no error without a database")
}
