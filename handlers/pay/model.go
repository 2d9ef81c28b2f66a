package pay

import (
	"time"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/handlers/frame"
	"forecourt/handlers/receipt"
	"forecourt/internal/money"
	view "forecourt/views/pay"
)

const (
	// successView is how long the success view stands before the order's status (PAY-35).
	successView = 3 * time.Second
	// waitingPoll and statusPoll are seconds between two looks of a page that waits.
	waitingPoll = 1
	statusPoll  = 5
	pictureSize = 48
)

// model words a transaction for its page; the card form is the caller's.
func (h *Handler) model(row db.TransactionGetRow, lines []db.OrderLineListRow) view.Page {
	t, client := row.Transaction, row.Client
	url := address(client.Code, t.ID)
	p := view.Page{
		Frame: frame.Customer("Payment", client, t.TableName, "pay.js"), Merchant: frame.Merchant(client),
		State: stateOf(row, lines), URL: url, RetryURL: url + "/retry", TrxID: t.ID,
		Amount: money.Format(t.AmountMinor), Currency: t.Currency, AmountLabel: money.Label(t.AmountMinor, t.Currency),
		TestMode: t.TestMode, Description: t.Description, Descriptor: h.descriptor(client.Code),
		Table: t.TableName, Name: t.CustomerName, Error: t.ErrorMsg, OrderAgain: orderAgain(t), StatusText: string(t.Status),
	}
	// What the page says of test mode is true of this transaction, whatever its merchant is by now.
	p.Frame.Merchant.Live, p.Merchant.Live = !t.TestMode, !t.TestMode
	if row.PlName != "" {
		p.Link, p.OrderAgain = linkOf(t), ""
		p.Frame.Merchant.Name, p.Merchant.Name = row.PlName, row.PlName
	}
	for _, line := range lines {
		p.Lines = append(p.Lines, lineOf(line))
	}
	if row.ReceiptToken != "" {
		p.ReceiptURL = receipt.Path(row.ReceiptToken)
	}
	if row.GivenBackMinor > 0 {
		p.Refunded = money.Label(row.GivenBackMinor, t.Currency)
	}
	switch p.State {
	case view.Waiting:
		p.PollSeconds, p.Frame.Refresh = waitingPoll, 2
		if row.AttemptState == state.AttemptManual {
			p.Contact = client.Mail
			p.PollSeconds, p.Frame.Refresh = 10*waitingPoll, 20
		}
		if row.AttemptState == state.AttemptRedirected {
			// A customer who reads has no use for a page that jumps; the bank leads back here.
			p.RedirectURL, p.CancelURL, p.Frame.Refresh = row.RedirectUrl, p.RetryURL, 10
		}
	case view.Failure:
		if row.AttemptMethod == state.ApplePay && row.AttemptState == state.AttemptDeclined {
			p.Declined = view.AppleDeclined
		}
	case view.Success:
		p.NextURL = url
		p.Frame.Refresh = int((successView - row.Now.Sub(*t.PaidAt)).Seconds()) + 1
	case view.Status:
		p.PollSeconds, p.Frame.Refresh = statusPoll, 2*statusPoll
		p.Places = places(lines)
	}
	if h.push != nil && (p.State == view.Success || p.State == view.Status) {
		p.Push = &view.Push{URL: url + "/push", Project: h.push.ProjectID(), PublicKey: h.push.PublicKey(), Told: t.PushToken}
	}
	if p.State == view.Waiting || p.State == view.Success || p.State == view.Status {
		p.EventsURL = url + "/events"
	}
	return p
}

// stateOf decides which view a transaction gets.
func stateOf(row db.TransactionGetRow, lines []db.OrderLineListRow) view.State {
	t := row.Transaction
	if row.GivenBackMinor == t.AmountMinor {
		return view.Refunded
	}
	switch t.Status {
	case state.New:
		if row.Overdue || t.TestMode == row.Client.Live {
			return view.Expired
		}
		return view.Form
	case state.Processing:
		return view.Waiting
	case state.Success:
		if row.Now.Sub(*t.PaidAt) < successView {
			return view.Success
		}
		for _, line := range lines {
			if line.Status == state.LineOpen {
				return view.Status
			}
		}
		return view.Completed
	case state.Paid, state.Completed:
		return view.Completed
	case state.Error:
		return view.Failure
	case state.Expired:
		return view.Expired
	default:
		return view.Text
	}
}

func linkOf(t db.Transaction) *view.Link {
	link := &view.Link{Reference: t.ClientRef}
	if t.ExpiresAt != nil {
		link.ValidUntil = *t.ExpiresAt
	}
	return link
}

func lineOf(line db.OrderLineListRow) view.Line {
	l := view.Line{
		Name: line.Name, Qty: int(line.Qty), Amount: money.Dollars(line.PriceMinor * int64(line.Qty)), Done: line.Status == state.LineDone,
	}
	if line.Picture != "" {
		l.Picture = frame.Picture(line.Picture, pictureSize)
	}
	return l
}

// places groups the lines by where they are made, in the order of their first line.
func places(lines []db.OrderLineListRow) []view.Place {
	var all []view.Place
	at := map[string]int{}
	for _, line := range lines {
		if line.Status == state.LineCancelled {
			continue
		}
		i, ok := at[line.Loc]
		if !ok {
			i = len(all)
			at[line.Loc] = i
			all = append(all, view.Place{Name: line.Loc, Done: true})
		}
		all[i].Lines = append(all[i].Lines, lineOf(line))
		all[i].Done = all[i].Done && line.Status == state.LineDone
	}
	return all
}

// orderAgain is the menu for the same table or name (PAY-41, PAY-42).
func orderAgain(t db.Transaction) string {
	return frame.MenuURL(t.ClientCode, t.TableName, t.CustomerName)
}
