package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
)

// market is the program on a database server with its usual durable settings, which others can reach, too, and a gateway that approves
// everything at once, so that the figures measure only the program and the database.
type market struct {
	*process
	dsn   string
	items []int64 // three that can be ordered
}

// onMarket runs work on a market.
func (b *bench) onMarket(ctx context.Context, work func(*market) error) (err error) {
	server, err := embedded.Start(ctx, embedded.Options{Dir: filepath.Join(b.folder, "database"), TCP: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	gateway := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(approve)}
	go func() { _ = gateway.Serve(listener) }()
	defer gateway.Close()
	m := &market{dsn: server.TCPDSN(embedded.Database)}
	m.process, err = b.serve(ctx, "market", "DATABASE_URL="+m.dsn, "FORECOURT_SECRET=the bench needs no secret, but 32 bytes",
		"GATEWAY_URL=http://"+listener.Addr().String(), "GATEWAY_KEY=bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.stop()) }()
	if m.items, err = readItems(ctx, m.dsn); err != nil {
		return err
	}
	return work(m)
}

func readItems(ctx context.Context, dsn string) ([]int64, error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, "SELECT id FROM item WHERE client_code = $1 AND available AND NOT sold_out ORDER BY id LIMIT 3", shop)
	if err != nil {
		return nil, err
	}
	items, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err == nil && len(items) != 3 {
		err = errors.New("the menu has fewer than three items to order")
	}
	return items, err
}

// order orders one of each item and returns the order's id.
func (m *market) order(c *client) (string, error) {
	var made struct{ TrxID string }
	body := fmt.Sprintf(`{"merchantId": %q, "table": "4", "source": "diy-pos",
		"order": [{"id": %d, "qty": 1}, {"id": %d, "qty": 1}, {"id": %d, "qty": 1}]}`, shop, m.items[0], m.items[1], m.items[2])
	err := c.post("/api/pos", []byte(body), &made)
	return made.TrxID, err
}

// buy orders, and pays with the card that every gateway approves.
func (m *market) buy(c *client) (string, error) {
	id, err := m.order(c)
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(map[string]any{
		"merchantId": shop, "trxId": id, "cardholder": "Ann Bench", "pan": approvedCard, "exp": validUntil(), "cvc": "123",
	})
	if err != nil {
		return "", err
	}
	var paid struct{ Status struct{ ResponseType string } }
	err = c.post("/api/pay", body, &paid)
	if err == nil && paid.Status.ResponseType != "1" {
		err = fmt.Errorf("the payment of %s was not approved", id)
	}
	return id, err
}

func validUntil() string { return "12/" + time.Now().AddDate(3, 0, 0).Format("06") }

// approve answers like a gateway that approves every card and stores nothing.
func approve(w http.ResponseWriter, r *http.Request) {
	var payment struct{ Reference string }
	if err := json.NewDecoder(r.Body).Decode(&payment); err != nil || r.URL.Path != "/api/pay" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{ // the caller may be gone
		"status":        map[string]string{"responsetype": "1", "statuscode": "0", "errordesc": "Approved"},
		"transactionid": payment.Reference, "code": "00", "reference": payment.Reference,
	})
}
