package staff

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
	view "forecourt/views/staff"
)

// HolidaysPath is the address at which staff keep the public holidays.
const HolidaysPath = "/staff/holidays"

// Holidays serves the page of the public holidays of each state.
type Holidays struct{ Shops *shop.Shops }

// Show answers GET /staff/holidays?state=VIC&year=2027.
func (h Holidays) Show(w http.ResponseWriter, r *http.Request) error {
	m := holidaysOf(r.URL.Query())
	days, err := h.Shops.Holidays(r.Context(), m.State, m.Year)
	if err != nil {
		return err
	}
	m.Days, m.Seen, m.Saved = days, shop.SeenHolidays(days), r.URL.Query().Has("saved")
	return web.Render(w, r, http.StatusOK, view.HolidaysPage(m))
}

// Save answers POST /staff/holidays.
func (h Holidays) Save(w http.ResponseWriter, r *http.Request) error {
	if !shop.HasState(r.PostForm.Get("state")) || !r.PostForm.Has("seen") {
		return fault.New(fault.Invalid, "not the form of a state's holidays")
	}
	m, days := holidaysOf(r.PostForm), shop.TypedDays(r.PostForm)
	now, err := h.Shops.SetHolidays(r.Context(), session.Who(r).Email, m.State, m.Year, r.PostForm.Get("seen"), days)
	if problems, refused := errors.AsType[fault.Problems](err); refused {
		m.Days, m.Seen, m.Problems = days, now, problems
		return web.Render(w, r, http.StatusUnprocessableEntity, view.HolidaysPage(m))
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, HolidaysPath+"?state="+m.State+"&year="+strconv.Itoa(m.Year)+"&saved")
}

// holidaysOf returns the page for the state and the year that a query or a form names, or those that come first.
func holidaysOf(form url.Values) view.Holidays {
	m := view.Holidays{Path: HolidaysPath, State: form.Get("state"), This: time.Now().Year()}
	if !shop.HasState(m.State) {
		m.State = shop.States[0][0]
	}
	m.Year, _ = strconv.Atoi(form.Get("year"))
	if m.Year < m.This || m.Year > m.This+view.HolidayYears {
		m.Year = m.This
	}
	return m
}
