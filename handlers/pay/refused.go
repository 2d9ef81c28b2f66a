package pay

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/pay/payment"
	view "forecourt/views/pay"
)

// A refused form leads to the page by GET. The query says what was refused, only in our own words: wrong= for each field, refused= for the
// whole payment. The payer's browser keeps what was typed except the card's number and code, which have to be typed again.

func wrong(problems payment.Problems) url.Values {
	query := url.Values{}
	for _, field := range slices.Sorted(maps.Keys(problems)) {
		query.Add("wrong", field+" "+string(problems[field]))
	}
	return query
}

func refusal(why string) url.Values { return url.Values{"refused": {why}} }

// wait returns the refusal for a payer who has to wait.
func wait(limit *payment.LimitError) url.Values {
	query := refusal("declines")
	switch {
	case limit.Checking:
		return refusal("checking")
	case limit.Card:
		query = refusal("card")
	}
	query.Set("minutes", strconv.Itoa(int(limit.After.Minutes())+1))
	return query
}

// mostWait limits the wait, in minutes, that a made-up address can make the page announce. No decline counts for longer.
const mostWait = int(payment.LimitWindow / time.Minute)

// noticeOf returns the text for the refusal in a query, "" if there is none.
func noticeOf(query url.Values) string {
	minutes, err := strconv.Atoi(query.Get("minutes"))
	if err != nil || minutes < 1 || minutes > mostWait {
		minutes = mostWait
	}
	after := time.Duration(minutes)*time.Minute - time.Second
	switch query.Get("refused") {
	case "used":
		return view.UsedForm
	case "paused":
		return view.Paused
	case "restored":
		return view.Restored
	case "card":
		return view.TooMany(&payment.LimitError{After: after, Card: true})
	case "declines":
		return view.TooMany(&payment.LimitError{After: after})
	case "checking":
		return view.TooMany(&payment.LimitError{Checking: true})
	default:
		return ""
	}
}

// refuse answers a form that led to no payment.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, input payment.CardInput, why url.Values) error {
	t, err := h.transaction(r)
	if errors.Is(err, payment.ErrMissing) {
		return h.missing(w, r)
	}
	if err != nil {
		return err
	}
	h.Payers.Keep(w, t.Shop.Code, t.ID, session.Payer{Name: input.Name, Email: input.Email, Expiry: input.Expiry})
	return web.Redirect(w, r, address(t.Shop.Code, t.ID)+"?"+why.Encode())
}

// refill fills the form with what its payer typed before, and says what was refused.
func (h *Handler) refill(r *http.Request, page *view.Page) {
	form, before, query := &page.Card, page.Card, r.URL.Query()
	payer, ok := h.Payers.Of(r)
	if ok {
		form.Name.Value, form.Email.Value, form.Expiry.Value = payer.Name, payer.Email, cmp.Or(payer.Expiry, form.Expiry.Value)
	}
	words := view.Problems()
	for _, problem := range query["wrong"] {
		for _, field := range form.Fields() {
			if text, ok := words[problem]; ok && field.Problem == "" && strings.HasPrefix(problem, field.Name+" ") {
				field.Problem = text
			}
		}
	}
	page.Notice, page.Problems = noticeOf(query), form.Summary()
	form.Blank = form.Name.Value == before.Name.Value && form.Email.Value == before.Email.Value && page.Notice == "" && len(page.Problems) == 0
	if len(page.Problems) > 0 {
		form.Number.Value, form.Expiry.Value, form.CVC.Value = "", payer.Expiry, ""
	}
}
