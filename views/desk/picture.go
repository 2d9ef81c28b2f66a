package desk

import (
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Picture is a field for a picture: of an item, or the logo.
type Picture struct {
	Name            string         // of the field; that of the file ends in "-file"
	Value           string         // what the form keeps: the address of the picture, or the name of an asset; "" for none
	Shown           layout.Picture // the same to look at
	Label, OffLabel string
	Hint            string
	Problem         string // in words
}

func (p Picture) fileID() string { return p.Name + "-file" }

// field is the control for a file, for the summary of the problems.
func (p Picture) field() ui.Field {
	return ui.Field{ID: p.fileID(), Name: p.fileID(), Problem: p.Problem}
}

// LogoField returns the field for a shop's logo. value is what the form keeps, and shown is the same picture for display.
func LogoField(value string, shown layout.Picture, problem string) Picture {
	shown.Alt = "Your logo"
	return Picture{
		Name: "logo", Value: value, Shown: shown, Label: "Logo (optional)",
		OffLabel: "Remove the logo", Hint: "Square works best. " + pictureHint,
		Problem: problem,
	}
}

// NewLogoField returns the field for the logo of a business that is still to be made. carried is the picture as the form keeps it.
func NewLogoField(carried string, problem string) Picture {
	p := LogoField(carried, layout.Picture{}, problem)
	if carried != "" {
		p.Shown.Src = "data:image/jpeg;base64," + carried
		p.Hint = "Your logo is kept. Choose another file to replace it. " + pictureHint
	}
	return p
}

// ItemPictureField returns the field for the picture of an item.
func ItemPictureField(value string, shown layout.Picture, problem string) Picture {
	shown.Alt = "The picture of this item"
	return Picture{
		Name: "picture", Value: value, Shown: shown, Label: "Picture (optional)", OffLabel: "Remove the picture", Hint: pictureHint,
		Problem: problem,
	}
}

var pictureHint = "JPEG, PNG or WebP, at most " + ui.MostBytes + "."
