// Package frontpage stores the parts of the provider's own pages that staff edit: the navigation and the slides of the start
// page.
package frontpage

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
)

// Errors of a change.
var (
	// ErrMissing means that the entry or slide does not exist, or no longer does.
	ErrMissing = fault.New(fault.NotFound, "no such entry or slide")
	// ErrChanged means that another editor changed or removed it meanwhile.
	ErrChanged = fault.New(fault.Conflict, "somebody else changed the entry or slide")
	// ErrFull means that a page has no room for another entry or slide.
	ErrFull = fault.New(fault.Conflict, "no room for another one")
)

// Most is how many entries, and how many slides, there may be.
const Most = 12

// MostPictures is how many uploaded pictures of slides are kept, including those that no slide shows.
const MostPictures = 100

// Entry is an entry of the navigation.
type Entry struct {
	ID       string // "" for a new one
	Name     string
	URL      string // on this site or https; "" hides the entry (NAV-09)
	Revision int    // grows with each change
}

// Slide is a card on the start page (LAND-02).
type Slide struct {
	ID       int64 // 0 for a new one
	Title    string
	SubTitle string
	Picture  string // name of an asset, or "/picture/{hash}"; "" for none
	Revision int
}

// Limits, in characters.
const (
	MostName     = 40  // characters of an entry of the navigation
	MostURL      = 500 // characters of an address
	MostTitle    = 80  // characters of a slide's title
	MostSubTitle = 200 // characters of its subtitle
)

// Check returns the entry in tidy form and its problems: name, url.
func (e Entry) Check() (Entry, fault.Problems) {
	problems := fault.Problems{}
	e.Name = line(problems, "name", e.Name, MostName, "Enter a name.",
		"Use at most 40 characters for the name.", "Use printable characters for the name.")
	const unfit = "Enter a page of this site, such as /docs, or an address that begins with https://."
	e.URL = line(problems, "url", e.URL, MostURL, "", "Use at most 500 characters for the address.", unfit)
	if e.URL != "" && problems["url"] == "" && !address(e.URL) {
		problems["url"] = unfit
	}
	return e, problems
}

// Check returns the slide in tidy form and its problems: title, sub, picture. pictures are those to choose from.
func (s Slide) Check(pictures []string) (Slide, fault.Problems) {
	problems := fault.Problems{}
	s.Title = line(problems, "title", s.Title, MostTitle, "Enter a title.",
		"Use at most 80 characters for the title.", "Use printable characters for the title.")
	s.SubTitle = line(problems, "sub", s.SubTitle, MostSubTitle, "",
		"Use at most 200 characters for the text.", "Use printable characters for the text.")
	if s.Picture != "" && !slices.Contains(pictures, s.Picture) {
		problems["picture"] = "Choose a picture of the list."
	}
	return s, problems
}

// line returns a line in tidy form, and words its problem. It may be empty if nothing says that it is missing.
func line(problems fault.Problems, field, value string, most int, missing, long, unfit string) string {
	value, why := printable.Tidy(value, most, missing != "")
	if why != "" {
		problems[field] = map[printable.Fault]string{
			printable.Missing: missing, printable.Long: long, printable.Unfit: unfit, printable.Card: card.LeaveOut,
		}[why]
	}
	return value
}

// hostForm is a name of a host, perhaps with a port.
var hostForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$`)

// address reports whether a text is an address on this site, or an https address on another one. It refuses a path that browsers would take
// for another site's address.
func address(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.User != nil || strings.ContainsAny(text, "\\ \"<>") {
		return false
	}
	if strings.HasPrefix(text, "/") {
		return !strings.HasPrefix(text, "//") && u.Host == "" && u.Scheme == ""
	}
	return u.Scheme == "https" && hostForm.MatchString(u.Host)
}

// Move returns ids with one of them moved up or down by one place, or unchanged if it is already at the end or missing.
func Move[T comparable](ids []T, id T, up bool) (moved []T, changed bool) {
	moved = append(moved, ids...)
	for i := range moved {
		if moved[i] != id {
			continue
		}
		other := i + 1
		if up {
			other = i - 1
		}
		if other < 0 || other >= len(moved) {
			return moved, false
		}
		moved[i], moved[other] = moved[other], moved[i]
		return moved, true
	}
	return moved, false
}
