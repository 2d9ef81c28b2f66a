// Package frontpage stores the parts of the provider's own pages that staff edit: the navigation and the slides of the start
// page.
package frontpage

import (
	"net/url"
	"regexp"
	"strings"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
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

type (
	// Entry is an entry of the navigation. Its URL is on this site or https; "" hides it (NAV-09). A new one has no ID.
	Entry = db.SiteNavListRow
	// Slide is a card on the start page (LAND-02). Its Picture is the name of an asset, "/picture/{hash}", or "". A new one has no ID.
	Slide = db.SiteSlideListRow
)

// Limits, in characters.
const (
	MostName     = 40  // characters of an entry of the navigation
	MostURL      = 500 // characters of an address
	MostTitle    = 80  // characters of a slide's title
	MostSubTitle = 200 // characters of its subtitle
)

// CheckEntry returns an entry in tidy form and its problems: name, url.
func CheckEntry(e Entry) (Entry, fault.Problems) {
	problems := fault.Problems{}
	problems.Note("name", typed.Tidy(&e.Name, MostName, "name", "Enter a name."))
	problems.Note("url", typed.Tidy(&e.Url, MostURL, "address", ""))
	if e.Url != "" && problems["url"] == "" && !address(e.Url) {
		problems["url"] = "Enter a page of this site, such as /docs, or an address that begins with https://."
	}
	return e, problems
}

// CheckSlide returns a slide in tidy form and its problems: title, sub, picture. has says that its picture was uploaded.
func CheckSlide(s Slide, has bool) (Slide, fault.Problems) {
	problems := fault.Problems{}
	problems.Note("title", typed.Tidy(&s.Title, MostTitle, "title", "Enter a title."))
	problems.Note("sub", typed.Tidy(&s.SubTitle, MostSubTitle, "text", ""))
	if s.Picture != "" && !has {
		problems["picture"] = "Choose a picture of the list."
	}
	return s, problems
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
