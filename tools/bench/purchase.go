package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// purchase is what everybody buys in comparisons: three items of panezski, one of each.
type purchase struct {
	currency, country string
	test              bool
	lines             []line
	body              []byte // the request that orders it
}

type line struct {
	id         int64
	name       string
	priceMinor int64
	loc        string
	picture    string
}

func readPurchase(ctx context.Context, conn *pgx.Conn) (*purchase, error) {
	p := new(purchase)
	err := conn.QueryRow(ctx, "SELECT currency, country_code, NOT live FROM client WHERE code = 'panezski'").
		Scan(&p.currency, &p.country, &p.test)
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, `SELECT id, name, price_minor, loc, picture FROM item
		WHERE client_code = 'panezski' AND available AND NOT sold_out ORDER BY id LIMIT 3`)
	if err != nil {
		return nil, err
	}
	p.lines, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (l line, err error) {
		err = row.Scan(&l.id, &l.name, &l.priceMinor, &l.loc, &l.picture)
		return l, err
	})
	if err == nil && len(p.lines) != 3 {
		err = errors.New("the menu has fewer than three items to order")
	}
	if err != nil {
		return nil, err
	}
	var order []any
	for _, l := range p.lines {
		order = append(order, map[string]any{"id": l.id, "qty": 1})
	}
	p.body, err = json.Marshal(map[string]any{"merchantId": "panezski", "table": "4", "source": "diy-pos", "order": order})
	return p, err
}

func (p *purchase) amount() int64 {
	var sum int64
	for _, l := range p.lines {
		sum += l.priceMinor
	}
	return sum
}

// order makes the order over HTTP and returns its id.
func (p *purchase) order(c *caller, key string) (string, error) {
	var made struct {
		TrxID string `json:"trxId"`
	}
	err := c.post("/api/pos", key, p.body, &made)
	return made.TrxID, err
}

// pay pays an order over HTTP.
func (p *purchase) pay(c *caller, id, key string) error {
	body, err := json.Marshal(map[string]any{
		"merchantId": "panezski", "trxId": id, "cardholder": "Ann Bench", "pan": "4111111111111111",
		"exp": "12/" + time.Now().AddDate(3, 0, 0).Format("06"), "cvc": "123",
	})
	if err != nil {
		return err
	}
	var paid struct {
		Status struct {
			ResponseType string `json:"responsetype"`
		} `json:"status"`
	}
	err = c.post("/api/pay", key, body, &paid)
	if err == nil && paid.Status.ResponseType != "1" {
		err = fmt.Errorf("the payment of %s was not approved", id)
	}
	return err
}
