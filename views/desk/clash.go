package desk

import (
	"forecourt/internal/shop/menu"
)

// Clash shows what somebody else changed while a form was open.
type Clash struct {
	By   string // "ann@example.com", "You yourself, in another window," or "Somebody"
	At   string
	Gone bool        // the part was removed
	Rows []menu.Edit // how what was typed differs: Was is what is saved, Now is what was typed
}

// saveWord labels the button that saves a form.
func saveWord(isNew bool, add string, c *Clash) string {
	switch {
	case c != nil && c.Gone:
		return "Put it back"
	case c != nil:
		return "Save mine"
	case isNew:
		return add
	}
	return "Save"
}

// value returns a value as the comparison shows it.
func value(label, text string) string {
	if label == "Picture" && text != "" {
		return "a picture"
	}
	return short(text)
}
