package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"forecourt/db/state"
	"forecourt/internal/kit/money"
)

// RefundRequest asks to refund Amount (minor units) of a charge. Reference makes it idempotent: repeating it returns the first
// answer.
type RefundRequest struct {
	TransactionID string
	Amount        int64
	Currency      string
	Reference     string
	MerchantID    string
	TestMode      bool
}

// RefundAnswer is the state of a refund. To learn more about one that is open or pending, repeat the request with the same
// reference.
type RefundAnswer struct {
	State    state.Refund
	RefundID string
	Err      error // for the log
}

// Refund asks for a refund. It may be repeated with the same reference.
func (c *Client) Refund(ctx context.Context, r RefundRequest) RefundAnswer {
	body := map[string]any{
		"transactionid": r.TransactionID, "amount": money.Wire(r.Amount), "currency": r.Currency,
		"reference": r.Reference, "merchantId": r.MerchantID, "testMode": r.TestMode,
	}
	var answer RefundAnswer
	c.observed(ctx, http.MethodPost, "/api/refund", r.Reference, body, func(got reply) string {
		answer = RefundAnswer{State: state.RefundOpen, Err: got.err}
		if got.err == nil {
			answer = readRefund(got.status, got.body)
		}
		return string(answer.State)
	})
	return answer
}

var errRefund = errors.New("gateway's answer to a refund says neither done with an id nor declined nor pending")

// readRefund treats 422 and the two final words of a 200 as final; anything else leaves the refund open.
func readRefund(status int, body []byte) RefundAnswer {
	if status == http.StatusUnprocessableEntity {
		return RefundAnswer{State: state.RefundDeclined}
	}
	var w struct {
		Status   Text `json:"status"`
		RefundID Text `json:"refundid"`
	}
	if status != http.StatusOK || json.Unmarshal(body, &w) != nil {
		return RefundAnswer{State: state.RefundOpen, Err: fmt.Errorf("gateway answered a refund with HTTP %d", status)}
	}
	switch {
	case w.Status == "done" && w.RefundID != "":
		return RefundAnswer{State: state.RefundDone, RefundID: w.RefundID.line()}
	case w.Status == "declined":
		return RefundAnswer{State: state.RefundDeclined}
	case w.Status == "pending":
		return RefundAnswer{State: state.RefundPending}
	default:
		return RefundAnswer{State: state.RefundOpen, Err: errRefund}
	}
}
