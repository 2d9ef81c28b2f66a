package order

import (
	"slices"
	"strings"
	"time"

	"forecourt/db"
	"forecourt/internal/menu"
)

// sale compares hours with one moment.
type sale struct {
	now  time.Time
	read map[string]menu.Hours
	used bool // something has hours
}

// newSale reads hours by the clock of a zone.
func newSale(now time.Time, zone string) *sale {
	place, err := time.LoadLocation(zone)
	if err != nil {
		place = time.UTC // the desk takes known zones only
	}
	return &sale{now: now.In(place), read: map[string]menu.Hours{}}
}

// apply closes an item that one of the texts, each of hours, does not include now.
func (s *sale) apply(item *Item, texts ...string) {
	var all []menu.Hours
	for _, text := range texts {
		if text == "" {
			continue
		}
		s.used = true
		if _, ok := s.read[text]; !ok {
			s.read[text], _ = menu.ParseHours(text) // what cannot be read closes nothing
		}
		all = append(all, s.read[text])
	}
	opens, ok := menu.Opens(s.now, all...)
	if ok && opens.Equal(s.now) {
		return
	}
	item.Closed, item.SoldOut, item.Opens = true, true, opens
}

// ClosedWords returns the words for an item that is closed, such as "opens at 11:30"; "" for one that is not.
func (i *Item) ClosedWords() string {
	if !i.Closed {
		return ""
	}
	return menu.OpensWords(i.Opens, time.Now())
}

// NotNow says in a sentence that an item is closed, and when it opens; "" for one that is not closed.
func (i *Item) NotNow() string {
	if !i.Closed {
		return ""
	}
	text := i.Name + " is not available now."
	if !i.Opens.IsZero() {
		text += " It " + i.ClosedWords() + "."
	}
	return text
}

// Food is what guests ask about an item, in the codes of package menu.
type Food struct {
	Known                       bool // Contains and MayContain are complete
	Contains, MayContain, Diets []string
}

func foodOf(row db.ItemListByClientRow) Food {
	list := func(text string) []string {
		if text == "" {
			return nil
		}
		return strings.Split(text, ",")
	}
	return Food{row.AllergensKnown, list(row.Contains), list(row.MayContain), list(row.Diets)}
}

// Fits reports whether an item suits everything that is asked: an allergen that it has to be free of, or a diet. unknown means that
// nobody said what it contains, so it does not fit.
func (f Food) Fits(asked []string) (fits, unknown bool) {
	for _, code := range asked {
		if slices.ContainsFunc(menu.Diets, func(k menu.Kind) bool { return k.Code == code }) {
			if !slices.Contains(f.Diets, code) {
				return false, false
			}
			continue
		}
		if !f.Known {
			return false, true
		}
		if f.has(code) || code == "gluten" && f.has("wheat") { // wheat has gluten, whether or not somebody ticked it
			return false, false
		}
	}
	return true, false
}

func (f Food) has(code string) bool {
	return slices.Contains(f.Contains, code) || slices.Contains(f.MayContain, code)
}
