// Package brand derives the colours of a merchant's pages, readable in both themes, from one accent colour.
package brand

import (
	"errors"
	"fmt"
)

// ErrAccent is returned for an accent that is not of the form #rrggbb.
var ErrAccent = errors.New("accent is not a colour like #b4532a")

// readable is the contrast that WCAG 2 AA requires of text.
const readable = 4.5

// Stylesheet returns the custom properties of static/css/tokens.css that follow from an accent (#rrggbb), for the light and
// the dark theme. Text in --brand-text on the page's grounds and on --brand-tint, --on-brand on --brand and --brand-deep, and
// --on-band on --band and --band-deep all reach a contrast of 4.5.
func Stylesheet(accent string) (string, error) {
	colour, err := parse(accent)
	if err != nil {
		return "", err
	}
	lch := colour.oklch()
	return fmt.Sprintf(":root{--hue:%.0f;%s}@media (prefers-color-scheme:dark){:root{%s}}\n",
		lch.h, light(lch), dark(lch)), nil
}

// Bands returns the colours of the page's banner in the light and the dark theme, for the theme-color of the browser.
func Bands(accent string) (lightBand, darkBand string, err error) {
	colour, err := parse(accent)
	if err != nil {
		return "", "", err
	}
	lch := colour.oklch()
	return light(lch).band.String(), dark(lch).band.String(), nil
}

// Theme is how a page looks in one theme: the colours of its ground, its banner and its main button, and of the text on them.
type Theme struct{ Page, Band, OnBand, Button, OnButton string }

// Themes returns the looks of a page with an accent (#rrggbb) in the light and the dark theme.
func Themes(accent string) (inLight, inDark Theme, err error) {
	colour, err := parse(accent)
	if err != nil {
		return inLight, inDark, err
	}
	lch := colour.oklch()
	theme := func(p palette, ground oklch) Theme {
		return Theme{ground.rgb().String(), p.band.String(), p.onBand.String(), p.brand.String(), p.on.String()}
	}
	return theme(light(lch), oklch{0.985, 0.004, lch.h}), theme(dark(lch), oklch{0.17, 0.01, lch.h}), nil
}

// Solid returns the accent as a ground, and the colour of text on it, for documents with a single theme, such as a mail.
func Solid(accent string) (ground, text string, err error) {
	colour, err := parse(accent)
	if err != nil {
		return "", "", err
	}
	p := light(colour.oklch())
	return p.brand.String(), p.on.String(), nil
}

// palette holds the colours of one theme that derive from the accent.
type palette struct {
	brand, deep, on        rgb // filled buttons: ground, pressed, text
	text, tint             rgb // links and marks; soft ground
	band, bandDeep, onBand rgb // the banner
}

func (p palette) String() string {
	return fmt.Sprintf("--brand:%s;--brand-deep:%s;--on-brand:%s;--brand-text:%s;--brand-tint:%s;--band:%s;--band-deep:%s;--on-band:%s",
		p.brand, p.deep, p.on, p.text, p.tint, p.band, p.bandDeep, p.onBand)
}

// light uses the accent unchanged if it is distinct from the page and from black.
func light(accent oklch) palette {
	accent.l = min(max(accent.l, 0.25), 0.88)
	var p palette
	p.brand = accent.rgb()
	p.on = ink(p.brand, accent.h)
	p.deep = deepen(accent, p.on)
	p.tint = oklch{0.965, min(accent.c*0.25, 0.028), accent.h}.rgb()
	p.text = shift(accent, -0.005, p.tint, sunkLight(accent.h))
	p.band, p.bandDeep, p.onBand = p.brand, p.deep, p.on
	return p
}

// dark lifts the accent off the dark page for buttons and text, and sinks the banner so that it does not glare.
func dark(accent oklch) palette {
	lifted := oklch{max(accent.l, 0.68), min(accent.c, 0.17), accent.h}
	sunk := oklch{min(accent.l, 0.36), min(accent.c, 0.13), accent.h}
	var p palette
	p.brand = lifted.rgb()
	p.on = ink(p.brand, accent.h)
	p.deep = deepen(lifted, p.on)
	p.tint = oklch{0.27, min(accent.c*0.35, 0.05), accent.h}.rgb()
	p.text = shift(lifted, 0.005, p.tint, sunkDark(accent.h))
	p.band = sunk.rgb()
	p.onBand = ink(p.band, accent.h)
	p.bandDeep = deepen(sunk, p.onBand)
	return p
}

// sunkLight and sunkDark are --sunk of tokens.css: of the neutral grounds the one nearest to its theme's text.
func sunkLight(hue float64) rgb { return oklch{0.96, 0.007, hue}.rgb() }

func sunkDark(hue float64) rgb { return oklch{0.25, 0.014, hue}.rgb() }

// ink returns the text colour for a ground: white or else nearly black if that is readable, and otherwise black, which always is.
func ink(ground rgb, hue float64) rgb {
	for _, candidate := range []rgb{white, oklch{0.2, 0.03, hue}.rgb()} {
		if contrast(candidate, ground) >= readable {
			return candidate
		}
	}
	return black
}

// deepen returns the colour a step darker, or lighter if its ink would become unreadable.
func deepen(c oklch, ink rgb) rgb {
	darker := oklch{c.l - 0.06, c.c, c.h}.rgb()
	if contrast(darker, ink) >= readable {
		return darker
	}
	return oklch{c.l + 0.05, c.c, c.h}.rgb()
}

// shift changes the lightness step by step until the colour is readable as text on every ground.
func shift(c oklch, step float64, grounds ...rgb) rgb {
	for {
		out := c.rgb()
		readableOnAll := true
		for _, g := range grounds {
			readableOnAll = readableOnAll && contrast(out, g) >= readable
		}
		if readableOnAll || c.l <= 0 || c.l >= 1 {
			return out
		}
		c.l += step
	}
}

// Ink returns an accent dark enough to be read on white paper, "#rrggbb"; black if the text is not a colour.
func Ink(accent string) string {
	colour, err := parse(accent)
	if err != nil {
		return black.String()
	}
	return shift(colour.oklch(), -0.005, white).String()
}

// Readable reports whether text on a light page has the accent itself. If not, it gets the nearest readable shade.
func Readable(accent string) bool {
	colour, err := parse(accent)
	if err != nil {
		return false
	}
	return light(colour.oklch()).text.String() == colour.String()
}
