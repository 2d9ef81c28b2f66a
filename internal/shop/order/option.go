package order

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"forecourt/db"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/menu"
)

// Group is a group of options as it can be chosen from now.
type Group struct {
	menu.Group

	Choices []Choice // including those that are not available
}

// Choice is one option of a group.
type Choice struct {
	menu.Choice

	SoldOut bool
}

// Chosen lists options with the allergens that they add: "Large, Soy (contains soy)".
func Chosen(options []db.LineOption) string {
	texts := make([]string, len(options))
	for i, o := range options {
		texts[i] = menu.OptionName(o)
	}
	return strings.Join(texts, ", ")
}

// OnSale reports whether the choice can be ordered.
func (c *Choice) OnSale() bool { return c.Available && !c.SoldOut }

// Label returns the choice's name with the allergens that it adds: "Soy (contains soy)".
func (c *Choice) Label() string { return menu.Named(c.Name, c.Food) }

// Fits reports whether an order may have count choices of the group.
func (g *Group) Fits(count int) bool { return count >= g.Min && count <= g.Max }

// Rule says how many choices of the group an order needs: "1", "up to 2", "1 to 3".
func (g *Group) Rule() string {
	switch {
	case g.Min == g.Max:
		return strconv.Itoa(g.Min)
	case g.Min == 0:
		return "up to " + strconv.Itoa(g.Max)
	default:
		return fmt.Sprintf("%d to %d", g.Min, g.Max)
	}
}

// Asks reports whether the guest can choose or write something before ordering the item.
func (i *Item) Asks() bool { return len(i.Groups) > 0 || i.NoteMax > 0 }

// Preset returns the ids of the choices that the item's groups preset.
func (i *Item) Preset() []int64 {
	var ids []int64
	for _, group := range i.Groups {
		for _, choice := range group.Choices {
			if choice.Preset && choice.Available {
				ids = append(ids, choice.ID)
			}
		}
	}
	return ids
}

// Made is a line of an order as the present menu makes it.
type Made struct {
	Item       *Item // nil if the business has no such item
	Options    []db.LineOption
	PriceMinor int64   // of one, with its options
	Gone       []int64 // choices of the item that are not on sale
	// Problem tells the author of the order why the line cannot be ordered; Name tells guests which thing is the cause. Both are empty if
	// it can be ordered.
	Problem, Name string
	NotNow        string // the sentence for guests where the item is closed; "" where it is not
}

// Make applies the menu to a line of an order.
func (m *Menu) Make(line Line) Made {
	item := m.items[line.ID]
	if line.ID == 0 {
		item = m.named[line.Name]
	}
	switch {
	case item == nil && line.ID != 0:
		name := fmt.Sprintf("item %d", line.ID)
		return Made{Problem: name, Name: name}
	case item == nil:
		return Made{Problem: line.Name, Name: line.Name}
	}
	made := Made{Item: item, PriceMinor: item.Price}
	if !item.Available || item.SoldOut {
		made.Problem, made.Name, made.NotNow = item.Name, item.Name, item.NotNow()
	}
	left := slices.Clone(line.Options)
	for _, group := range item.Groups {
		left = made.choose(group, line.Options == nil, left)
	}
	switch {
	case made.Problem != "":
	case len(left) > 0:
		made.refuse(fmt.Sprintf("option %d is not one of its options", left[0]))
	case utf8.RuneCountInString(line.Note) > item.NoteMax:
		made.refuse(fmt.Sprintf("its note may have %d characters", item.NoteMax))
	case made.PriceMinor < 0 || made.PriceMinor > money.Max:
		made.refuse("no price is possible with these options")
	}
	return made
}

// choose takes the choices of a group, or its presets, out of those left, and returns the rest.
func (made *Made) choose(group *Group, preset bool, left []int64) []int64 {
	count := 0
	for _, choice := range group.Choices {
		wanted := slices.Contains(left, choice.ID)
		if preset {
			wanted = choice.Preset && choice.Available
		}
		if !wanted {
			continue
		}
		left = slices.DeleteFunc(left, func(id int64) bool { return id == choice.ID })
		made.Options = append(made.Options, db.LineOption{
			ID: choice.ID, Group: group.Name, Name: choice.Name, PriceMinor: choice.Price,
			Contains: choice.Contains, MayContain: choice.MayContain,
		})
		made.PriceMinor += choice.Price
		count++
		if !choice.OnSale() {
			made.Gone = append(made.Gone, choice.ID)
			if made.Problem == "" {
				made.Problem = made.Item.Name + " with " + choice.Name
				made.Name = made.Problem
			}
		}
	}
	if made.Problem == "" && !group.Fits(count) {
		made.refuse(fmt.Sprintf("choose %s of %s", group.Rule(), group.Name))
	}
	return left
}

func (made *Made) refuse(problem string) {
	made.Problem, made.Name = made.Item.Name+": "+problem, made.Item.Name+" as you chose it"
}
