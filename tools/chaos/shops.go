package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// shop is a business of the demo data.
type shop struct {
	code  string
	share int // how many of a hundred payers come here
	items []int64
}

// shops lists the shops that payers come to. tahbella is live, moollar takes another currency, and sabona changes its currency during the run.
func shops() []shop {
	return []shop{{code: "tahbella", share: 50}, {code: "panezski", share: 30}, {code: "moollar", share: 10}, {code: "sabona", share: 10}}
}

// live is the business in live mode. Its payments count for limits, and its letters go out.
const live = "tahbella"

// setCurrency changes the currency of a business.
func (w *world) setCurrency(ctx context.Context, client, currency string) error {
	conn, err := w.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "UPDATE client SET currency = $2 WHERE code = $1", client, currency)
	return err
}

// openShops reads each shop's menu.
func (b *browser) openShops(ctx context.Context) ([]shop, error) {
	all := shops()
	for i := range all {
		var err error
		if all[i].items, err = b.menu(ctx, all[i].code); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// choose picks a payer's shop; n is from 0 to 99.
func choose(all []shop, n int) shop {
	for _, s := range all {
		if n < s.share {
			return s
		}
		n -= s.share
	}
	return all[0]
}

// menu returns the ids of the items that can be ordered without a choice.
func (b *browser) menu(ctx context.Context, client string) ([]int64, error) {
	a, err := insist(ctx, func(ctx context.Context) (answer, error) {
		return b.do(ctx, http.MethodGet, "/api/pos/"+client, nil, nil)
	})
	if err != nil {
		return nil, err
	}
	var menu struct {
		Items []struct {
			ID                 int64
			Available, SoldOut bool
			OptionGroups       []struct {
				Min     int
				Choices []struct{ Preset, SoldOut bool }
			}
		}
	}
	if err := json.Unmarshal([]byte(a.body), &menu); err != nil {
		return nil, fmt.Errorf("menu: HTTP %d, %w", a.status, err)
	}
	var ids []int64
	for _, item := range menu.Items {
		asks := false // asks for a choice, which these payers do not make
		for _, group := range item.OptionGroups {
			preset := 0
			for _, choice := range group.Choices {
				preset += count(choice.Preset && !choice.SoldOut)
			}
			asks = asks || preset < group.Min
		}
		if item.Available && !item.SoldOut && !asks {
			ids = append(ids, item.ID)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("menu: HTTP %d, there is nothing on it", a.status)
	}
	return ids, nil
}

// order makes an order and returns its transaction, or "" if that fails. refused reports that the order as it is will never be made.
func (s shop) order(ctx context.Context, b *browser, key string, item int64, qty int) (trx string, refused bool) {
	body := map[string]any{"merchantId": s.code, "order": []map[string]any{{"id": item, "qty": qty}}}
	a, err := b.postJSON(ctx, "/api/pos", key, body)
	var made struct{ TrxID string }
	if err != nil || a.status/100 != 2 || json.Unmarshal([]byte(a.body), &made) != nil {
		return "", err == nil && a.status == http.StatusConflict
	}
	return made.TrxID, false
}
