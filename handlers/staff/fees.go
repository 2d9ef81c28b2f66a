package staff

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/settlement"
	"forecourt/static"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// FeesPath is the address of the fees of every shop; those of one lie below it.
const FeesPath = "/staff/fees"

// Fees serves the form of the fees.
type Fees struct{ Rules *settlement.Settlement }

// Show answers GET /staff/fees and GET /staff/fees/{client}.
func (h Fees) Show(w http.ResponseWriter, r *http.Request) error {
	m, _, err := h.read(r)
	if err != nil {
		return err
	}
	m.Done = map[string]string{"save": "Saved.", "remove": "Removed."}[r.URL.Query().Get("done")]
	return web.Render(w, r, http.StatusOK, view.FeesPage(m))
}

func (h Fees) read(r *http.Request) (m view.Fees, shop string, err error) {
	if shop = chi.URLParam(r, "client"); shop != "" && !printable.Line(shop, 63) {
		return m, shop, fault.New(fault.NotFound, "no such business")
	}
	m.FeeReview, err = h.Rules.ReviewFees(r.Context(), shop)
	m.Frame = ui.Site{Title: "Fees", Styles: []string{static.URL("staff.css")}}
	if m.URL = FeesPath; shop != "" {
		m.URL, m.Back, m.Frame.Title = FeesPath+"/"+shop, "/staff/accounts/"+shop, "Fees of "+m.Name
	}
	return m, shop, err
}

// Change answers POST /staff/fees and POST /staff/fees/{client}: do is save or remove.
func (h Fees) Change(w http.ResponseWriter, r *http.Request) error {
	m, shop, err := h.read(r)
	if err != nil {
		return err
	}
	var f settlement.Fees
	do := r.PostForm.Get("do")
	switch do {
	case "remove":
	case "save":
		m.Typed, m.Problems = r.PostForm.Get, fault.Problems{}
		f.Currency, f.GstAdded = m.Unit, r.PostForm.Get("gst") == view.GSTAdded
		for name, to := range map[string]*int64{"rate": &f.Rate, "fixed": &f.FixedMinor, "monthly": &f.MonthlyMinor} {
			mark, problem := m.Unit, "Enter an amount, such as 0.10."
			if name == "rate" {
				mark, problem = "%", "Enter a percentage from 0 to 100, such as 1.6."
			}
			if *to, err = typed.Amount(r.PostForm.Get(name), mark); err != nil || name == "rate" && *to > 100_00 {
				m.Problems[name] = problem
			}
		}
		if len(m.Problems) > 0 {
			return web.Render(w, r, http.StatusUnprocessableEntity, view.FeesPage(m))
		}
	default:
		return fault.New(fault.Invalid, "unknown button")
	}
	if err := h.Rules.KeepFees(r.Context(), session.Who(r).Email, shop, f); err != nil {
		return err
	}
	return web.Redirect(w, r, m.URL+"?done="+do)
}
