package desk

import (
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Code is the code of one table.
type Code struct {
	Frame    layout.Desk
	Back     string
	Business layout.QRBusiness
	Code     layout.QRCode
	SVG, PNG string // addresses of the files
}

// Print is a sheet of codes to print.
type Print struct {
	Frame    layout.Desk
	Back     string
	Business layout.QRBusiness
	Format   layout.SheetFormat
	Codes    []layout.QRCode
}

// AllAreas is the choice of every area.
const AllAreas = "*"

// formats and areas are the choices of the form that leads to a sheet.
func formats() ui.Choice {
	c := ui.Choice{Field: ui.Field{ID: "format", Name: "format", Label: "What to print on"}}
	for i, f := range layout.SheetFormats {
		c.Options = append(c.Options, ui.Option{Value: f.ID, Label: f.Name, Chosen: i == 0})
	}
	return c
}

func areas(list []Area) ui.Choice {
	c := ui.Choice{
		Field:   ui.Field{ID: "area", Name: "area", Label: "Which tables"},
		Options: []ui.Option{{Value: AllAreas, Label: "All tables", Chosen: true}},
	}
	seen := map[string]bool{}
	for _, a := range list {
		if seen[a.Name] {
			continue
		}
		seen[a.Name] = true
		label := a.Name
		if label == "" {
			label = "Without an area"
		}
		c.Options = append(c.Options, ui.Option{Value: a.Name, Label: label})
	}
	return c
}
