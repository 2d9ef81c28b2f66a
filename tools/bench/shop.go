package main

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"forecourt/db/embedded"
)

// market is the one database server, with its usual durable settings, on which all payments are measured, and the gateway's address.
type market struct {
	server   *embedded.Server
	acquirer string
}

// withMarket runs work with a server in a folder and a gateway that approves everything.
func withMarket(ctx context.Context, folder string, settings map[string]string, work func(*market) error) (err error) {
	server, err := embedded.Start(ctx, embedded.Options{Dir: folder, TCP: true, Settings: settings})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	address, stop, err := startAcquirer(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	return work(&market{server: server, acquirer: address})
}

// shop is the program on its own database in the market.
type shop struct {
	*process
	*purchase
	dsn string
}

// openShop makes the database if it is missing, calls fill on it unless fill is nil, and starts the program on it with additional settings.
func (b *bench) openShop(ctx context.Context, m *market, database string, fill func(context.Context, *pgx.Conn) error, more ...string) (*shop, error) {
	if err := m.create(ctx, database); err != nil {
		return nil, err
	}
	dsn := m.server.TCPDSN(database)
	env := append([]string{
		"DATABASE_URL=" + dsn, "FORECOURT_SECRET=the bench needs no secret, but 32 bytes", "FORECOURT_DEMO=on", "GATEWAY_URL=" + m.acquirer, "GATEWAY_KEY=bench",
	}, more...)
	if _, err := b.boot(ctx, "/readyz", database, env...); err != nil {
		return nil, err
	}
	s := &shop{dsn: dsn}
	err := onceConnected(ctx, dsn, func(conn *pgx.Conn) (err error) {
		if fill != nil {
			if err := fill(ctx, conn); err != nil {
				return err
			}
		}
		s.purchase, err = readPurchase(ctx, conn)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.process, err = b.serve(ctx, database, env...)
	return s, err
}

func (m *market) create(ctx context.Context, database string) error {
	return onceConnected(ctx, m.server.TCPDSN(embedded.Database), func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{database}.Sanitize())
		var there *pgconn.PgError
		if errors.As(err, &there) && there.Code == "42P04" {
			return nil
		}
		return err
	})
}

// drop removes a database that an earlier run left.
func (m *market) drop(ctx context.Context, database string) error {
	return onceConnected(ctx, m.server.TCPDSN(embedded.Database), func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+pgx.Identifier{database}.Sanitize())
		return err
	})
}

func onceConnected(ctx context.Context, dsn string, work func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	return errors.Join(work(conn), conn.Close(context.WithoutCancel(ctx)))
}
