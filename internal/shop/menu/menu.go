// Package menu defines a shop's menu as one document: its types, its rules, and how to read it from and write it to CSV files. A draft, a
// published version and an import are all a Menu. Whether something is sold out is not part of it. Studio stores the
// draft of each shop, its published menu and the versions before it.
package menu

import (
	"encoding/json"
	"slices"

	"forecourt/internal/kit/typed"
)

// Menu is everything that a shop sells, in the order guests see.
type Menu struct {
	Categories []Category `json:"categories"`
	Groups     []Group    `json:"groups,omitempty"`
}

// Category is a heading with its items. Names are unique in a menu. An ID of 0 means that the category is new; so it does for items,
// groups and choices.
type Category struct {
	ID    int64  `json:"id,omitempty"`
	Name  string `json:"name"`
	Hours string `json:"hours,omitempty"` // when its items can be ordered, as TidyHours writes it; "" for always
	// OtherHours is its happy hour: when the other prices of its items count, as TidyHours writes it; "" for never.
	OtherHours string `json:"otherHours,omitempty"`
	Items      []Item `json:"items"`
}

// Item is one thing to sell. Names are unique in a menu.
type Item struct {
	ID          int64  `json:"id,omitempty"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Price       int64  `json:"priceMinor"`                // minor units; 0 for free
	OtherPrice  *int64 `json:"otherPriceMinor,omitempty"` // in the category's OtherHours; nil where it is the same
	GSTFree     bool   `json:"gstFree,omitempty"`         // its price includes no GST
	Picture     string `json:"picture,omitempty"`         // path of an asset, or "/picture/{hash}"; "" for none
	Loc         string `json:"loc"`                       // where it is made
	Available   bool   `json:"available"`                 // false hides it

	Food
	Diets   []string `json:"diets,omitempty"`   // codes of Diets
	Hours   string   `json:"hours,omitempty"`   // when it can be ordered, as TidyHours writes it; "" for always
	NoteMax int      `json:"noteMax,omitempty"` // longest note to the kitchen, in characters; 0 for no notes
	Groups  []int64  `json:"groups,omitempty"`  // ids of option groups, in the order they are asked
}

// Food says which allergens an item contains, or a choice adds to it.
type Food struct {
	// AllergensKnown says that Contains and MayContain are complete. Without it they are empty, and nothing may be shown as free of anything.
	AllergensKnown bool     `json:"allergensKnown,omitempty"`
	Contains       []string `json:"contains,omitempty"`   // codes of Allergens
	MayContain     []string `json:"mayContain,omitempty"` // codes of Allergens
}

// Group is a question about an item, such as its size. Items may share it.
type Group struct {
	ID      int64    `json:"id,omitempty"`
	Name    string   `json:"name"` // unique in a menu
	Min     int      `json:"min"`  // choices that a guest must make; 0 if the question may be skipped
	Max     int      `json:"max"`  // choices that a guest may make; 1 for choose one
	Choices []Choice `json:"choices"`
}

// Choice is one answer to a group's question.
type Choice struct {
	ID        int64  `json:"id,omitempty"`
	Name      string `json:"name"`                 // unique in its group
	Price     int64  `json:"priceMinor,omitempty"` // added to the item's price, in minor units; may be negative
	Preset    bool   `json:"preset,omitempty"`     // chosen until the guest changes it
	Available bool   `json:"available"`            // false hides it

	Food // what the choice adds to the item
}

// Entry is an item with the category that it is in.
type Entry struct {
	Item
	Category int64
}

// Count returns how many items the menu has.
func (m *Menu) Count() (n int) {
	for _, c := range m.Categories {
		n += len(c.Items)
	}
	return n
}

// with returns the thing of a list that has an id, or nil. Several new things have the id 0.
func with[T any](list []T, id int64, of func(*T) int64) *T {
	for n := range list {
		if one := &list[n]; id != 0 && of(one) == id {
			return one
		}
	}
	return nil
}

func itemID(i *Item) int64         { return i.ID }
func categoryID(c *Category) int64 { return c.ID }
func groupID(g *Group) int64       { return g.ID }

// Category returns the category with an id, or nil.
func (m *Menu) Category(id int64) *Category { return with(m.Categories, id, categoryID) }

// Group returns the group with an id, or nil.
func (m *Menu) Group(id int64) *Group { return with(m.Groups, id, groupID) }

// Item returns the item with an id and its category, or nil.
func (m *Menu) Item(id int64) (*Item, *Category) {
	for n := range m.Categories {
		if item := with(m.Categories[n].Items, id, itemID); item != nil {
			return item, &m.Categories[n]
		}
	}
	return nil, nil
}

// Entry returns the item with an id and its category, or nil.
func (m *Menu) Entry(id int64) *Entry {
	item, in := m.Item(id)
	if item == nil {
		return nil
	}
	return &Entry{*item, in.ID}
}

// Users lists the items that ask a group's question.
func (m *Menu) Users(group int64) (items []Item) {
	for _, c := range m.Categories {
		for _, i := range c.Items {
			if slices.Contains(i.Groups, group) {
				items = append(items, i)
			}
		}
	}
	return items
}

// itemNamed returns an item of this name, or nil.
func (m *Menu) itemNamed(name string) *Item {
	for _, c := range m.Categories {
		for i := range c.Items {
			if same(c.Items[i].Name, name) {
				return &c.Items[i]
			}
		}
	}
	return nil
}

// groupNamed returns a group of this name, or nil.
func (m *Menu) groupNamed(name string) *Group {
	for i := range m.Groups {
		if same(m.Groups[i].Name, name) {
			return &m.Groups[i]
		}
	}
	return nil
}

// same reports whether people would take two names for the same.
func same(a, b string) bool { return typed.Alike(a) == typed.Alike(b) }

// Clone returns a copy that shares nothing with the menu.
func (m *Menu) Clone() (other Menu) {
	if err := json.Unmarshal([]byte(text(m)), &other); err != nil {
		panic(err)
	}
	return other
}

// text returns a menu, or a part of one, as JSON.
func text(part any) string {
	data, err := json.Marshal(part)
	if err != nil {
		panic(err) // they are always valid JSON
	}
	return string(data)
}
