package staff

import (
	"path"
	"strconv"
	"strings"

	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
	"forecourt/internal/site/frontpage"
	"forecourt/views/ui"
)

// Site is the list of the entries of the navigation and of the slides.
type Site struct {
	Frame   ui.Site
	Path    string
	Entries []frontpage.Entry
	Slides  []frontpage.Slide
	Preview SitePreview
	Done    string // what was done just now, in words
}

// SitePreview is what visitors see.
type SitePreview struct {
	Entries []frontpage.Entry
	Slides  []frontpage.Slide
}

// SiteEntry is the form of an entry of the navigation.
type SiteEntry struct {
	Frame     ui.Site
	Back, URL string
	Entry     frontpage.Entry
	Problems  fault.Problems
	Notice    string
	Theirs    []Fact // what somebody else wrote in the meantime
	Preview   SitePreview
}

// SiteSlide is the form of a slide.
type SiteSlide struct {
	Frame     ui.Site
	Back, URL string
	Slide     frontpage.Slide
	Pictures  []string
	Problems  fault.Problems
	Notice    string
	Theirs    []Fact
	Preview   SitePreview
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

// Title returns the heading of the form.
func (m SiteEntry) Title() string {
	if m.Entry.ID == "" {
		return "New entry"
	}
	return "Change an entry"
}

func (m SiteEntry) fields() []ui.Field {
	return []ui.Field{
		{
			ID: "name", Name: "name", Label: "Name", MaxLength: frontpage.MostName,
			Required: true, Value: m.Entry.Name, Problem: m.Problems["name"],
		},
		{
			ID: "url", Name: "url", Label: "Address (optional)", MaxLength: frontpage.MostURL,
			Value: m.Entry.Url, Problem: m.Problems["url"],
			Hint: "A page of this site, such as /docs, or a full address that begins with https://. An entry without an address is hidden.",
		},
	}
}

// Title returns the heading of the form.
func (m SiteSlide) Title() string {
	if m.Slide.ID == 0 {
		return "New slide"
	}
	return "Change a slide"
}

func (m SiteSlide) fields() []ui.Field {
	return []ui.Field{
		{
			ID: "title", Name: "title", Label: "Title", MaxLength: frontpage.MostTitle,
			Required: true, Value: m.Slide.Title, Problem: m.Problems["title"],
		},
		{
			ID: "sub", Name: "sub", Label: "Text (optional)", MaxLength: frontpage.MostSubTitle,
			Value: m.Slide.SubTitle, Problem: m.Problems["sub"],
		},
	}
}

func (m SiteSlide) picture() ui.Choice {
	c := ui.Choice{
		Field:   ui.Field{ID: "picture", Name: "picture", Label: "Picture (optional)", Problem: m.Problems["picture"]},
		Options: []ui.Option{{Label: pictureName(""), Chosen: m.Slide.Picture == ""}},
	}
	if strings.HasPrefix(m.Slide.Picture, shop.PicturePath) {
		c.Options = append(c.Options, ui.Option{Value: m.Slide.Picture, Label: "Your upload", Chosen: true})
	}
	for _, p := range m.Pictures {
		c.Options = append(c.Options, ui.Option{Value: p, Label: pictureName(p), Chosen: m.Slide.Picture == p})
	}
	return c
}

// file is the field for uploading a picture.
func (m SiteSlide) file() ui.Field {
	return ui.Field{
		ID: "picture-file", Name: "picture-file", Label: "Or upload a picture", Problem: m.Problems["file"],
		Hint: "JPEG, PNG or WebP, at most " + ui.MostBytes + ". Square works best. It replaces the picture above.",
	}
}

// pictureName returns the name of a picture: "Butter croissant" for "img/pictures/butter-croissant.svg".
func pictureName(asset string) string {
	if asset == "" {
		return "No picture"
	}
	if strings.HasPrefix(asset, shop.PicturePath) {
		return "An uploaded picture"
	}
	name := strings.ReplaceAll(strings.TrimSuffix(path.Base(asset), path.Ext(asset)), "-", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}
