package staff

import (
	"strconv"
	"strings"

	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
	"forecourt/internal/site/frontpage"
	"forecourt/views/ui"
)

// Site is the list of the entries of the navigation and of the slides.
type Site struct {
	SitePreview

	Frame ui.Site
	Path  string
	Done  string // what was done just now, in words
}

// SitePreview is what visitors see.
type SitePreview struct {
	Entries []frontpage.Entry
	Slides  []frontpage.Slide
}

// SitePart is the form of an entry of the navigation, or of a slide.
type SitePart struct {
	Title    string
	Fields   []ui.Field // the name first
	Refused  bool       // a field has a problem
	Picture  *ui.Choice // of a slide
	File     ui.Field   // for uploading a picture
	Frame    ui.Site
	URL      string
	Back     string
	Stored   bool
	Revision int32
	Notice   string
	Theirs   []Fact // what somebody else wrote in the meantime
	Preview  SitePreview
}

func (m SitePart) pictureFields() []ui.Field {
	if m.Picture == nil {
		return nil
	}
	return []ui.Field{m.Picture.Field, m.File}
}

// SiteDone returns the text for what was done, by the button that did it.
var SiteDone = map[string]string{
	"save": "Saved. Visitors see it within a few seconds.", "remove": "Removed.", "up": "Moved.", "down": "Moved.",
}

// Reasons why a change was not saved.
const (
	SiteChanged = "Somebody else changed this while you looked at it. Your changes are not saved yet: " +
		"compare below, then save again to replace theirs."
	SiteGone = "Somebody else removed this while you looked at it. Save to add yours again."
)

// SlidePicturesFull says that no other picture can be uploaded.
const SlidePicturesFull = "There are 100 uploaded pictures already. Those that no slide shows go after a week."

// SiteFull says that there is no room.
func SiteFull(most int) string {
	return "There are " + strconv.Itoa(most) + " already, which is the most. Remove one first."
}

// EntryFacts returns an entry as it is stored.
func EntryFacts(e frontpage.Entry) []Fact {
	return []Fact{{Name: "Name", Value: e.Name}, {Name: "Address", Value: orHidden(e.Url)}}
}

// SlideFacts returns a slide as it is stored.
func SlideFacts(s frontpage.Slide) []Fact {
	return []Fact{{Name: "Title", Value: s.Title}, {Name: "Text", Value: s.SubTitle}, {Name: "Picture", Value: pictureName(s.Picture)}}
}

func orHidden(address string) string {
	if address == "" {
		return "Hidden, as it has no address"
	}
	return address
}

// EntryForm is the form of an entry.
func EntryForm(e frontpage.Entry, problems fault.Problems) SitePart {
	m := SitePart{Title: "Change an entry", Refused: len(problems) > 0, Fields: []ui.Field{
		ui.Fields(problems).Of(ui.Field{Name: "name", Label: "Name", MaxLength: frontpage.MostName, Required: true, Value: e.Name}),
		ui.Fields(problems).Of(ui.Field{
			Name: "url", Label: "Address (optional)", MaxLength: frontpage.MostURL, Value: e.Url,
			Hint: "A page of this site, such as /docs, or a full address that begins with https://. An entry without an address is hidden.",
		}),
	}}
	if e.ID == "" {
		m.Title = "New entry"
	}
	return m
}

// SlideForm is the form of a slide.
func SlideForm(s frontpage.Slide, problems fault.Problems) SitePart {
	choice := ui.Choice{
		Field:   ui.Fields(problems).Of(ui.Field{Name: "picture", Label: "Picture (optional)"}),
		Options: []ui.Option{{Label: pictureName(""), Chosen: s.Picture == ""}},
	}
	if strings.HasPrefix(s.Picture, shop.PicturePath) {
		choice.Options = append(choice.Options, ui.Option{Value: s.Picture, Label: "Your upload", Chosen: true})
	}
	m := SitePart{Title: "Change a slide", Refused: len(problems) > 0, Picture: &choice, Fields: []ui.Field{
		ui.Fields(problems).Of(ui.Field{Name: "title", Label: "Title", MaxLength: frontpage.MostTitle, Required: true, Value: s.Title}),
		ui.Fields(problems).Of(ui.Field{Name: "sub", Label: "Text (optional)", MaxLength: frontpage.MostSubTitle, Value: s.SubTitle}),
	}, File: ui.Field{
		ID: "picture-file", Name: "picture-file", Label: "Or upload a picture", Problem: problems["file"],
		Hint: "JPEG, PNG or WebP, at most " + ui.MostBytes + ". Square works best. It replaces the picture above.",
	}}
	if s.ID == "" {
		m.Title = "New slide"
	}
	return m
}

// pictureName says whether there is a picture at an address.
func pictureName(address string) string {
	if address == "" {
		return "No picture"
	}
	return "An uploaded picture"
}
