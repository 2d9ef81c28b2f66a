package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"forecourt/internal/kit/secret"
)

// AccountTrial is a paylink account to try. Reference belongs to no payment.
type AccountTrial struct {
	MerchantID string
	PublicKey  string // the paylink key
	Password   secret.Text
	Reference  string
	TestMode   bool
}

// TryAccount reports whether the gateway accepts a paylink account. It requests the key of a wallet payment for the account, which charges
// nothing. An error means that the gateway's answer did not tell.
func (c *Client) TryAccount(ctx context.Context, t AccountTrial) (taken bool, err error) {
	start := time.Now()
	got := c.send(ctx, http.MethodPost, "/wallet/key", map[string]any{
		"merchantId": t.MerchantID, "amount": "1.00", "currency": "AUD", "reference": t.Reference, "testMode": t.TestMode,
		"publickey": t.PublicKey, "password": t.Password.Reveal(),
	})
	var w struct {
		Status Text `json:"status"`
	}
	switch {
	case got.err != nil:
		err = got.err
	case got.status == http.StatusOK:
		if err = json.Unmarshal(got.body, &w); err != nil {
			err = errors.New("gateway's answer to an account cannot be read")
		}
		taken = err == nil && w.Status == "00"
	case got.status >= 500:
		err = fmt.Errorf("gateway answered with HTTP %d", got.status)
	}
	c.logger.InfoContext(ctx, "gateway call", "call", "POST /wallet/key", "reference", t.Reference, "status", got.status,
		"outcome", fmt.Sprintf("account taken %t", taken), "ms", time.Since(start).Milliseconds())
	return taken, err
}
