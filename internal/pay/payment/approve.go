package payment

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/receipt"
)

// approve records a payment and queues its receipts: both or neither. It returns zero rows if another process settled the payment first and
// so queued the receipts.
func (p *Payments) approve(ctx context.Context, t try, answer gateway.Answer) (rows int64, err error) {
	name, mailbox := consumer(answer.Response)
	onward := answer.Redirect
	if onward != "" && !p.mayRedirect(onward) {
		p.log.WarnContext(ctx, "after an approval the gateway redirects to a host that is not listed", "attempt", t.id)
		onward = ""
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		rows, err = p.queries.WithTx(tx).AttemptApprove(ctx, db.AttemptApproveParams{
			ID: t.id, Transactionid: answer.TransactionID, Code: answer.Code,
			BankTransactionNo: answer.BankTransactionNo, GatewayReference: answer.GatewayReference,
			ConsumerName: name, ConsumerEmail: mailbox, RedirectUrl: onward,
		})
		if err != nil || rows == 0 {
			return err
		}
		return receipt.Make(ctx, tx, p.cfg.Mail, t.id, p.cfg.Descriptor(t.shop))
	})
	return rows, err
}

// consumer returns the customer whom a response names. It drops an invalid mail address.
func consumer(response *gateway.CardResponse) (name, mailbox string) {
	if response == nil {
		return "", ""
	}
	c := response.Consumer
	if mailbox = strings.TrimSpace(string(c.Email)); !typed.IsEmail(mailbox) {
		mailbox = ""
	}
	return strings.TrimSpace(string(c.FirstName) + " " + string(c.LastName)), mailbox
}
