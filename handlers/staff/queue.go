package staff

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"forecourt/handlers/web"
	view "forecourt/views/staff"
)

// all is the word in an address for cases in every state.
const all = "all"

// ShowQueue answers GET on the path of a kind with the cases that wait for a decision, oldest first, or with another part of the queue.
func (q Queue) ShowQueue(w http.ResponseWriter, r *http.Request) error {
	part := q.part(r.URL.Query())
	list, err := q.List(r.Context(), part)
	if err != nil {
		return err
	}
	v := view.Queue{
		Frame: q.frame(q.Title), Title: q.Title, Heads: q.Heads, Filters: q.filters(part, list.Counts), Rows: list.Rows, Empty: q.Other,
	}
	if part.State == q.waiting() {
		v.Empty = q.Waiting
	}
	if part.Page > 1 {
		v.Previous = q.address(Part{State: part.State, Sort: part.Sort, Page: part.Page - 1})
	}
	if list.More {
		v.Next = q.address(Part{State: part.State, Sort: part.Sort, Page: part.Page + 1})
	}
	return web.Render(w, r, http.StatusOK, view.QueuePage(v))
}

func (k Kind) filters(at Part, counts map[string]int) []view.Filter {
	states, named := view.Filter{Label: "State"}, slices.Clone(k.States)
	if len(named) > 1 {
		named = append(named, State{Label: "All"})
	}
	for _, s := range named {
		link := view.FilterLink{Label: s.Label, URL: k.address(Part{State: s.Name, Sort: at.Sort}), Current: s.Name == at.State}
		if n := counts[s.Name]; n > 0 {
			link.Count = strconv.Itoa(n)
		}
		states.Links = append(states.Links, link)
	}
	if k.Sort == nil {
		return []view.Filter{states}
	}
	sorts := view.Filter{Label: k.Sort.Label, Links: []view.FilterLink{
		{Label: k.Sort.All, URL: k.address(Part{State: at.State}), Current: at.Sort == ""},
	}}
	for _, o := range k.Sort.Options {
		sorts.Links = append(sorts.Links, view.FilterLink{
			Label: o.Label, URL: k.address(Part{State: at.State, Sort: o.Value}), Current: o.Value == at.Sort,
		})
	}
	return []view.Filter{states, sorts}
}

// part reads ?state=…&page=… and the second filter. Missing and unknown values mean the default.
func (k Kind) part(query url.Values) Part {
	p := Part{State: k.waiting(), Page: 1}
	if state := query.Get("state"); state == all {
		p.State = ""
	} else if slices.ContainsFunc(k.States, func(s State) bool { return s.Name == state }) {
		p.State = state
	}
	if k.Sort != nil {
		for _, o := range k.Sort.Options {
			if o.Value == query.Get(k.Sort.Param) {
				p.Sort = o.Value
			}
		}
	}
	if page, err := strconv.Atoi(query.Get("page")); err == nil && page > 1 {
		p.Page = page
	}
	return p
}

// address is the inverse of part.
func (k Kind) address(p Part) string {
	query := url.Values{}
	switch p.State {
	case k.waiting():
	case "":
		query.Set("state", all)
	default:
		query.Set("state", p.State)
	}
	if p.Sort != "" {
		query.Set(k.Sort.Param, p.Sort)
	}
	if p.Page > 1 {
		query.Set("page", strconv.Itoa(p.Page))
	}
	if len(query) == 0 {
		return k.Path
	}
	return k.Path + "?" + query.Encode()
}
