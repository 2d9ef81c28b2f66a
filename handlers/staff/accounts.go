package staff

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"forecourt/db"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/pay/settlement"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// GatewayAccountQueue is the queue of the gateway accounts, /staff/accounts/{client}. Its cases are businesses, and there is nothing to
// decide about them.
type GatewayAccountQueue struct {
	Queue
	accounts *gatewayaccount.Accounts
	rules    *settlement.Settlement
}

// GatewayAccounts returns the queue of the gateway accounts.
func GatewayAccounts(accounts *gatewayaccount.Accounts, rules *settlement.Settlement) GatewayAccountQueue {
	k := Kind{
		Path: "/staff/accounts", Title: "Gateway accounts", Heads: [3]string{"Business", "Account", "Code"},
		States: []State{
			stand(gatewayaccount.Missing, "Not connected", ui.Warning), stand(gatewayaccount.Connected, "Connected", ui.Good),
		},
		Waiting: view.Empty{Title: "Every business is connected", Text: "New businesses appear here as soon as they are made."},
		Other:   view.Empty{Title: "No businesses here", Text: "Nothing fits this filter."},
		Actions: map[string]string{
			"gateway account set": "connected an account", "gateway account tried": "tested the account",
			"gateway account removed": "removed an account",
		},
	}
	k.List = func(ctx context.Context, p Part) (Listing, error) {
		page, more, err := accounts.Businesses(ctx, gatewayaccount.State(p.State), p.Text, p.Page)
		return list(ctx, page, more, err, func(b db.GatewayAccountShopsRow) view.Row {
			state := gatewayaccount.Missing
			if b.HasLive {
				state = gatewayaccount.Connected
			}
			return view.Row{
				URL: k.Path + "/" + b.Code, Name: b.Name, What: view.AccountModes(b.HasTest, b.HasLive), From: b.Code,
				At: b.CreatedAt, State: stateOf(k, state),
			}
		}, accounts.Counts)
	}
	return GatewayAccountQueue{Queue{k}, accounts, rules}
}

// ShowAccounts answers GET /staff/accounts/{client}.
func (q GatewayAccountQueue) ShowAccounts(w http.ResponseWriter, r *http.Request) error {
	return q.show(w, r, http.StatusOK, func(*view.Accounts) {})
}

// ChangeAccounts answers POST /staff/accounts/{client}: it sets, makes, tries or removes the account of one mode.
func (q GatewayAccountQueue) ChangeAccounts(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	mode, query := r.PostForm.Get("mode"), url.Values{}
	live := mode == view.LiveMode
	if !live && mode != view.TestMode {
		return fault.New(fault.Invalid, "unknown account mode")
	}
	person := session.Who(r)
	shop, ctx := chi.URLParam(r, "client"), r.Context()
	if !printable.Line(shop, 63) {
		return gatewayaccount.ErrShop
	}
	var err error
	switch do := r.PostForm.Get("do"); do {
	case "keep":
		account := gatewayaccount.Account{MID: r.PostForm.Get("mid"), Password: secret.New(r.PostForm.Get("password"))}
		err = q.accounts.Set(ctx, person, shop, live, account)
	case "generate":
		made := gatewayaccount.Generate()
		if err = q.accounts.Set(ctx, person, shop, live, made); err == nil {
			return q.show(w, r, http.StatusOK, func(v *view.Accounts) {
				v.Made = &made
			})
		}
	case "try":
		err = q.accounts.Retry(ctx, person, shop, live)
	case "remove":
		err = q.accounts.Drop(ctx, person, shop, live)
	default:
		return fault.New(fault.Invalid, "unknown button")
	}
	if err == nil {
		query.Set("done", r.PostForm.Get("do")+" "+mode)
		return web.Redirect(w, r, q.Path+"/"+shop+"?"+query.Encode())
	}
	problems, text := fault.Problems{}, view.AccountProblem(err)
	if text != "" {
		problems[""] = text
	} else if !errors.As(err, &problems) {
		return err
	}
	return q.show(w, r, http.StatusUnprocessableEntity, func(v *view.Accounts) {
		v.Refused, v.MID, v.Problems = mode, r.PostForm.Get("mid"), problems
	})
}

func (q GatewayAccountQueue) show(w http.ResponseWriter, r *http.Request, status int, change func(*view.Accounts)) error {
	shop := chi.URLParam(r, "client")
	if !printable.Line(shop, 63) {
		return gatewayaccount.ErrShop
	}
	h, err := q.accounts.Review(r.Context(), shop)
	if err != nil {
		return err
	}
	h.Events = q.history(h.Events)
	fees, err := q.rules.ReviewFees(r.Context(), shop)
	if err != nil {
		return err
	}
	v := view.Accounts{History: h, Frame: q.frame(h.Name), URL: q.Path + "/" + h.Code, QueueURL: q.Path, Fees: fees.Fees}
	if r.Method != http.MethodPost {
		v.Done = view.AccountDone(r.URL.Query().Get("done"))
	}
	change(&v)
	return web.Render(w, r, status, view.AccountsPage(v))
}
