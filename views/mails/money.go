package mails

import (
	"context"
	"slices"
	"strings"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/shop/paylink"
	"forecourt/internal/upkeep/privacy"
	"forecourt/views/desk"
	paper "forecourt/views/receipt"
	"forecourt/views/ui"
)

// DecidedWords are the decisions of staff on a payment or a refund, in words.
var DecidedWords = map[string]string{
	"approved": "Approved: what the gateway captured is final", "given_back": "Refunded: all that the gateway captured goes back",
	"book": "Booked: what the ledger lists counts here", "correct": "Corrected: the ledger's amount counts here",
	"accept": "Accepted: both sides stay as they are", "not_charged": "Not charged: no money moved",
	"done": "Done: the gateway made the refund", "declined": "Declined: no money was refunded",
}

// given leaves out the facts without a value.
func given(facts ...Fact) []Fact {
	return slices.DeleteFunc(facts, func(f Fact) bool { return f.Value == "" })
}

// inNameOf returns a business as a sender.
func inNameOf(business, accent string) (Sender, error) {
	accent, onTop, err := brand.Solid(accent)
	return Sender{Name: business, Accent: accent, OnTop: onTop}, err
}

// whyPaid says why a payer gets a letter.
func (l Letters) whyPaid(business string) string {
	return "you paid " + business + " with this address. " + l.Provider + " processes payments for " + business + "."
}

// receipt sends the receipt of a payment to one of its recipients, in the name of the business.
func (l Letters) receipt(ctx context.Context, queries *db.Queries, data receipt.LetterData) (n Note, err error) {
	r, err := receipt.Read(ctx, queries, data.Transaction)
	if err != nil {
		return n, err
	}
	to := addressOf(r.Recipients(), data.Role)
	r = r.ForMail()
	heading, amount := paper.Heading(r), money.Label(r.Amount, r.Currency)
	n = Note{
		To: to, Bcc: l.Bcc, Why: l.whyPaid(r.Business), Subject: heading + " for " + amount + " from " + r.Business, Heading: heading,
		Lines: []string{"Thank you for your payment to " + r.Business + "."}, Paper: &r, Facts: paper.Facts(r),
		Button: &Button{Label: "See, print or check this receipt", URL: l.page(paper.Path(r.Token))}, Test: r.Test,
	}
	if r.Test {
		n.Hold = r.Shop.Code
	}
	if r.Test && !data.Again {
		n.Counts = r.Shop.Code
	}
	if data.Role == receipt.Merchant {
		n.Subject, n.Bcc, n.Why = "Payment of "+amount+" received", "", l.Provider+" processes payments for "+r.Business+"."
		n.Lines = []string{"A customer paid you. This is their receipt."}
		n.After = []string{"You need no such copies? Untick them at " + l.page("desk", r.Shop.Code, "shop") + "."}
		n.Facts = given(append(n.Facts,
			Fact{Name: "Customer’s address", Value: r.CustomerEmail}, Fact{Name: "Merchant", Value: r.Shop.Code},
		)...)
	}
	n.Sender, err = inNameOf(r.Business, r.Shop.Accent)
	return n, err
}

// addressOf returns the address of the recipient with a role, "" if there is none.
func addressOf(all []receipt.Recipient, role receipt.Role) string {
	for _, to := range all {
		if to.Role == role {
			return to.Address
		}
	}
	return ""
}

// refund tells a payer, in the name of the business, that money comes back.
func (l Letters) refund(ctx context.Context, queries *db.Queries, data payment.RefundData) (n Note, err error) {
	row, err := queries.RefundLetter(ctx, data.Refund)
	if err != nil {
		return n, err
	}
	business, currency := unlinked(row.ShopName), strings.TrimSpace(row.Currency)
	amount := money.Label(row.AmountMinor, currency)
	n = Note{
		To: receipt.Mailbox(row.Payer), Bcc: l.Bcc, Why: l.whyPaid(business),
		Subject: desk.RefundSubject(amount, business), Heading: "Your refund is on its way",
		Lines: []string{desk.RefundText(amount, business)},
		Facts: []Fact{
			{Name: "Refund", Value: amount}, {Name: "You paid", Value: money.Label(row.PaidMinor, currency)},
			{Name: "Business", Value: business}, {Name: "Reference", Value: row.TransactionID},
		},
		Test: row.TestMode,
	}
	if row.SettledAt != nil {
		n.Facts = append(n.Facts, Fact{Name: "Date", Value: clock.Day(*row.SettledAt, clock.Zone(row.TimeZone))})
	}
	if row.TestMode {
		n.Counts, n.Hold = row.ShopCode, row.ShopCode
	} else {
		n.Payment = row.TransactionID
	}
	n.Sender, err = inNameOf(business, row.Accent)
	return n, err
}

// paylink asks a payer to pay, in the name of the business. It writes nothing about a link that is paid or over.
func (l Letters) paylink(ctx context.Context, queries *db.Queries, data paylink.LetterData) (n Note, err error) {
	row, err := queries.PaylinkLetter(ctx, data.Transaction)
	if err != nil {
		return n, err
	}
	t, business := row.Transaction, unlinked(row.PlName)
	amount := money.Label(t.AmountMinor, t.Currency)
	n = Note{
		To: data.To, Why: business + " asked you to pay. " + l.Provider + " processes the payments for " + business + ".",
		Subject: business + " asks you to pay " + amount, Heading: "Pay " + amount + " to " + business, Test: t.TestMode,
		Facts: given(
			Fact{Name: "Amount", Value: amount}, Fact{Name: "For", Value: t.Description}, Fact{Name: "Reference", Value: t.ClientRef},
		),
		Button: &Button{Label: "See and pay", URL: l.page("pos", t.ShopCode, t.ID)},
		After:  []string{"If you do not expect this, ignore this email: nothing is charged until you pay."},
	}
	if t.ExpiresAt != nil {
		n.Facts = append(n.Facts, Fact{Name: "Pay by", Value: clock.End(*t.ExpiresAt, clock.Zone(row.Shop.TimeZone))})
	}
	if t.TestMode {
		n.Hold = t.ShopCode
	}
	n.Sender, err = inNameOf(business, row.Shop.Accent)
	return n, err
}

// payerErasing sends the link that confirms the erasure of a payer. The link is made here, so that it waits in no queue.
func (l Letters) payerErasing(ctx context.Context, queries *db.Queries, data privacy.PayerLetter) (n Note, err error) {
	r, err := receipt.Read(ctx, queries, data.Transaction)
	if err != nil {
		return n, err
	}
	to := addressOf(r.Payers(), data.Role)
	if to == "" {
		return n, nil
	}
	token, err := privacy.NewPayerToken(ctx, queries, data.Ask)
	business := unlinked(r.Business)
	n = Note{
		To: to, Why: "somebody who has the receipt of your payment to " + business + " asked for it.",
		Subject: "Your details of a payment",
		Lines: []string{"Somebody asked for a copy of your details of your payment to " + business + ", or to remove them. If it was you, " +
			"open the page within " + clock.Spelled(privacy.ConfirmFor) + ". The amount, the time and the receipt stay in any case."},
		Button: &Button{Label: "Copy or remove my details", URL: l.page("receipt", r.Token, "erase") + "?code=" + token.Reveal()},
		After:  []string{"If it was not you, do nothing: nothing is removed."},
		Test:   r.Test,
	}
	if r.Test {
		n.Hold = r.Shop.Code
	}
	return n, err
}

// disputed tells a business that a payment is disputed, or how that ended.
func (l Letters) disputed(ctx context.Context, queries *db.Queries, data settlement.DisputeData) (n Note, err error) {
	row, err := queries.DisputeLetter(ctx, data.Attempt)
	if err != nil {
		return n, err
	}
	refunds, err := queries.RefundDoneList(ctx, row.TransactionID)
	if err != nil {
		return n, err
	}
	business, zone, amount := unlinked(row.ShopName), clock.Zone(row.TimeZone), money.Label(row.AmountMinor, row.Currency)
	n = Note{
		To: row.MerchantMail, Why: business + " takes payments with " + l.Provider + ".", Test: row.TestMode,
		Facts: given(
			Fact{Name: "Disputed", Value: amount}, Fact{Name: "Paid", Value: money.Label(row.PaidMinor, row.Currency)},
			Fact{Name: "Business", Value: business}, Fact{Name: "Reference", Value: row.TransactionID},
			Fact{Name: "Your reference", Value: strings.TrimSpace(printable.Unlinked(row.ClientRef, receipt.MostTyped))},
		),
	}
	if row.TestMode { // anybody can dispute a test payment; a business has to learn of each real dispute
		n.Counts = row.ShopCode
	}
	if row.PaidAt != nil {
		n.Facts = append(n.Facts, Fact{Name: "Paid on", Value: clock.Day(*row.PaidAt, zone)})
	}
	switch data.State {
	case state.DisputeWon:
		n.Subject, n.Heading = "You won the dispute about "+amount, "You won a dispute"
		n.Lines = []string{"The payer's bank decided for you. You keep the money."}
	case state.DisputeLost:
		n.Subject, n.Heading = "The dispute about "+amount+" is lost", "You lost a dispute"
		n.Lines = []string{"The payer's bank decided for the payer. The money is taken from one of your next payouts."}
	default:
		n.Subject, n.Heading = "A payment of "+amount+" is disputed", "A payment is disputed"
		n.Lines = []string{
			"The cardholder asked their bank to give this payment back. Collect what shows that it was right: " +
				"the order, the receipt, who was served and when.",
			"Send it to " + l.Support + ". Do not refund the payment now: the money would go back twice.",
		}
		for i := range refunds {
			clock.Local(zone, &refunds[i].SettledAt)
		}
		if text := desk.RefundsBefore(refunds); text != "" {
			n.Lines = []string{
				"The cardholder asked their bank to give this payment back.", text + " " + desk.RefundedTwice, "Send it to " + l.Support + ".",
			}
		}
		if row.DueAt != nil {
			n.Facts = append(n.Facts, Fact{Name: "Answer by", Value: clock.Day(*row.DueAt, zone)})
		}
	}
	return n, nil
}

// paymentDecided tells a member of staff what one of them has decided about a payment or a refund.
func (l Letters) paymentDecided(ctx context.Context, queries *db.Queries, data payment.DecidedData) (Note, error) {
	row, err := queries.DecidedLetter(ctx, data.Of, data.Subject)
	amount := money.Label(row.AmountMinor, row.Currency)
	what, said, against, page := "payment", "The gateway said", "", l.page("staff", "payments", data.Of.String())
	switch {
	case data.Subject != "":
		what, said, page = "difference", "What differed", l.page("staff", "unmatched", data.Subject)
	case row.IsRefund:
		what, page = "refund", l.page("staff", "refunds", data.Of.String())
	}
	line := "This is for your information. If the decision is wrong, talk to the person who made it."
	if data.Overruled {
		against, line = " against the gateway", "The gateway did not confirm this decision. If it is wrong, talk to the person who made it."
	}
	return Note{
		To: data.To, Why: "you are on the staff of " + l.Provider + ".",
		Subject: "A " + what + " of " + amount + " was decided" + against, Heading: "A " + what + " was decided" + against,
		Lines: []string{line},
		Facts: []Fact{
			{Name: "Decision", Value: DecidedWords[string(data.End)]},
			{Name: "Decided by", Value: data.By}, {Name: "Reason", Value: data.Reason},
			{Name: said, Value: data.Says}, {Name: "Amount", Value: amount}, {Name: "Business", Value: unlinked(row.ShopName)},
			{Name: "Transaction", Value: row.TransactionID},
		},
		Button: &Button{Label: "See the " + what, URL: page}, Test: row.TestMode,
	}, err
}

// newCases tells a member of staff that the gateway's ledger and our books differ.
func (l Letters) newCases(_ context.Context, _ *db.Queries, data settlement.CasesData) (Note, error) {
	what := ui.Count(data.Cases, "difference")
	return Note{
		To: data.To, Why: "you are on the staff of " + l.Provider + ".",
		Subject: "The gateway’s ledger differs from our books", Heading: "New at “Unmatched money”: " + what,
		Lines:  []string{"Until somebody has decided it, such a payment can be neither paid nor refunded."},
		Button: &Button{Label: "Decide", URL: l.page("staff", "unmatched")},
	}, nil
}
