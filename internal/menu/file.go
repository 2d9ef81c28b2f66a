package menu

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"forecourt/internal/bulk"
	"forecourt/internal/card"
)

// File is a menu together with details of the business. Missing details stay as they are.
type File struct {
	Tagline  string `json:"tagline"`
	Currency string `json:"currency"`
	Accent   string `json:"accent"` // "#rrggbb"
	Email    string `json:"email"`  // gets the business's receipts
	ABN      string `json:"abn"`
	Menu
}

// Read reads a file that is JSON or CSV, in UTF-8 or in UTF-16 with a byte order mark. base and locations are those of ReadCSV.
func Read(data []byte, base Menu, locations []string) (File, []Wrong) {
	if text := bytes.TrimSpace(bulk.Text(data)); bytes.HasPrefix(text, []byte("{")) {
		f, err := ReadFile(text)
		if err != nil {
			return f, []Wrong{{Text: FileProblem(err)}}
		}
		return f, nil
	}
	read, wrong := ReadCSV(bytes.NewReader(data), base, locations)
	return File{Menu: read}, wrong
}

// ReadFile reads such a file in JSON, or one that is just a menu. Items without a location are made in the "Kitchen". The error is for
// FileProblem.
func ReadFile(data []byte) (f File, err error) {
	if err := boundedJSON(data); err != nil {
		return f, err
	}
	if err := strict(data, &f); err != nil {
		return f, err
	}
	if err := f.bounded(); err != nil {
		return File{}, err
	}
	f.Menu = f.Placed(defaultLoc)
	return f, nil
}

const defaultLoc = "Kitchen"

// Placed returns the menu with a location for each item that has none.
func (m *Menu) Placed(loc string) Menu {
	placed := m.Clone()
	for c := range placed.Categories {
		for i := range placed.Categories[c].Items {
			if item := &placed.Categories[c].Items[i]; item.Loc == "" {
				item.Loc = loc
			}
		}
	}
	return placed
}

// FileProblem says why JSON is not a menu, for the person who made the file.
func FileProblem(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("The file is not valid JSON: the mistake is at character %d.", syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Sprintf("The field %s cannot hold a %s.", short(kind.Field), short(kind.Value))
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return "A menu has no field " + short(strings.TrimPrefix(err.Error(), "json: unknown field ")) + "."
	case errors.Is(err, ErrBig):
		return tooBig()
	default:
		return "The file is not a menu in JSON."
	}
}

// Wrongs returns the faults of a menu with their texts.
func Wrongs(faults []Fault) (list []Wrong) {
	for _, f := range faults {
		if len(list) == mostWrong {
			return append(list, Wrong{Text: fmt.Sprintf("And %d more.", len(faults)-mostWrong)})
		}
		list = append(list, Wrong{Subject: subject(f), Text: Words(f.Kind, f.Field, f.Problem)})
	}
	return list
}

// subject names the thing with a fault, without repeating a card number.
func subject(f Fault) string {
	if card.HoldsCard(f.Name) {
		return "a " + f.Kind
	}
	return nonempty(short(f.Name), "a "+f.Kind+" without a name")
}
