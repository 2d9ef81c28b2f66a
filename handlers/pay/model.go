package pay

import (
	"slices"
	"time"

	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/pay/payment"
	view "forecourt/views/pay"
)

const (
	successView = view.SuccessSeconds * time.Second
	// followFor is how long after a payment its page leads on by itself: whoever comes back later stays.
	followFor = 30 * time.Second
	// waitingPoll and statusPoll are seconds between two looks of a page that waits.
	waitingPoll = 1 // seconds, on a page that waits for the outcome
	statusPoll  = 5 // seconds, on the page that follows an order in the kitchen
)

// model returns a transaction as its page shows it. The caller adds the card form.
func (h *Handler) model(t *payment.Transaction) view.Page {
	shop := t.Shop
	url := address(shop.Code, t.ID)
	p := view.Page{
		Transaction: t, Frame: web.CustomerFrame("Payment", shop, t.TableName, "pay.js"), Merchant: web.MerchantLook(shop),
		State: stateOf(t), URL: url, RetryURL: url + "/retry", Descriptor: h.Descriptor(shop.Code),
	}
	// The page shows the mode of this transaction, whatever mode its merchant is in by now.
	p.Frame.Merchant.Live, p.Merchant.Live = !t.TestMode, !t.TestMode
	if t.IsLink() {
		p.Frame.Merchant.Name, p.Merchant.Name = t.PlName, t.PlName
	}
	p.Frame.Description, p.Frame.Part = view.Describe(p.Merchant.Name), "pay.css"
	switch p.State {
	case view.Waiting:
		p.PollSeconds, p.Frame.Refresh = waitingPoll, 2
		if t.AttemptState == state.AttemptManual || t.InQuestion {
			p.Manual = true
			p.PollSeconds, p.Frame.Refresh = 10*waitingPoll, 20
		}
		if t.AttemptState == state.AttemptRedirected {
			// The page does not refresh itself, which would disturb a reader; the bank leads back here.
			p.RedirectURL, p.CancelURL, p.Frame.Refresh = t.RedirectUrl, p.RetryURL, 10
		}
	case view.Expired:
		// An order that ended because the mode was switched says so, too.
		p.Switched = t.Status == state.New && !t.Overdue || t.Status == state.Expired && !t.IsLink() && t.TestMode == t.Shop.Live
	case view.Success:
		p.NextURL, p.Places = url, places(t.Items())
		p.Frame.Refresh = int((successView - t.Now.Sub(*t.PaidAt)).Seconds()) + 1
	case view.Status:
		p.PollSeconds, p.Frame.Refresh = statusPoll, 2*statusPoll
		p.Places = places(t.Items())
	}
	p.Frame.Title = view.Title(p)
	if h.Push != nil && (p.State == view.Success || p.State == view.Status) {
		p.Push = &view.Push{URL: url + "/push", Project: h.Push.ProjectID(), PublicKey: h.Push.PublicKey(), Told: t.PushToken}
	}
	if p.State == view.Waiting || p.State == view.Success || p.State == view.Status {
		p.EventsURL = url + "/events"
	}
	return p
}

// stateOf decides which view a transaction gets.
func stateOf(t *payment.Transaction) view.State {
	made := func(l payment.Line) bool { return l.Status != state.LineCancelled }
	if t.Position.RefundedMinor > 0 &&
		(t.Position.RefundedMinor >= t.AmountMinor || len(t.Lines) > 0 && !slices.ContainsFunc(t.Items(), made)) {
		return view.Refunded
	}
	if t.InQuestion && t.ApprovedAttempt == nil {
		return view.Waiting
	}
	switch t.Status {
	case state.New:
		if t.Overdue || t.TestMode == t.Shop.Live {
			return view.Expired
		}
		return view.Form
	case state.Processing:
		return view.Waiting
	case state.Success:
		if t.PaidAt != nil && t.Now.Sub(*t.PaidAt) < successView {
			return view.Success
		}
		for _, line := range t.Lines {
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

// places groups the lines by the location that makes them, in the order of their first line.
func places(lines []payment.Line) []view.Place {
	var all []view.Place
	at := map[string]int{}
	for _, line := range lines {
		i, ok := at[line.Loc]
		if !ok {
			i = len(all)
			at[line.Loc] = i
			all = append(all, view.Place{Name: line.Loc, Done: true, Refunded: true})
		}
		all[i].Lines = append(all[i].Lines, line)
		all[i].Done = all[i].Done && line.Status != state.LineOpen
		all[i].Refunded = all[i].Refunded && line.Status == state.LineCancelled
	}
	return all
}
