package staff

import (
	"net/http"
	"slices"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
	"forecourt/internal/people/review"
	view "forecourt/views/staff"
)

// Home is the first page of the staff room.
type Home struct {
	Queues     []Queue
	Businesses GatewayAccountQueue // where businesses are searched for
}

// Show answers GET /staff with what waits longest in all queues, and then the businesses without an account, which may wait for ever.
// ?find=… also lists the businesses with that in their name or code.
func (h Home) Show(w http.ResponseWriter, r *http.Request) error {
	v := view.Home{Frame: h.Businesses.frame("Waiting"), Now: time.Now(), Find: typed.Line(r.URL.Query().Get("find"))}
	var unconnected []view.Row
	for _, q := range h.Queues {
		list, err := q.List(r.Context(), Part{State: q.waiting(), Page: 1})
		if err != nil {
			return err
		}
		for _, row := range list.Rows {
			row.Queue = q.Title
			if q.Path == h.Businesses.Path {
				unconnected = append(unconnected, row)
			} else {
				v.Rows = append(v.Rows, row)
			}
		}
		v.More = v.More || list.More
	}
	slices.SortStableFunc(v.Rows, func(a, b view.Row) int { return a.At.Compare(b.At) })
	v.Rows = append(v.Rows, unconnected...)
	if len(v.Rows) > review.PageSize {
		v.Rows, v.More = v.Rows[:review.PageSize], true
	}
	if v.Find != "" && printable.Line(v.Find, 100) {
		found, err := h.Businesses.List(r.Context(), Part{Text: v.Find, Page: 1})
		if err != nil {
			return err
		}
		v.Found, v.MoreFound = found.Rows, found.More
	}
	return web.Render(w, r, http.StatusOK, view.HomePage(v))
}
