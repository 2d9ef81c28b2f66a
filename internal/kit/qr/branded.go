package qr

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // logos
	"image/png"
	"strconv"

	"github.com/boombuler/barcode/qr"
	"golang.org/x/image/draw"
)

// Look is how a business's own codes differ from plain ones.
type Look struct {
	Ink   string // of the modules, "#rrggbb", dark enough to scan; "" for black
	Logo  []byte // a picture for the middle; nil for none
	Media string // of the logo: "image/jpeg" or "image/svg+xml", which PNG leaves out
}

// Branded is a code with a logo in its middle. Its error correction H lets it read with 30 % missing; the logo hides less than 7 %.
type Branded struct {
	Code
	look Look
}

// NewBranded encodes a text of at most 1,273 bytes. It returns an error if the text is empty or longer, or if the ink is not a colour.
func NewBranded(text string, look Look) (Branded, error) {
	if text == "" {
		return Branded{}, fmt.Errorf("a QR code of nothing")
	}
	bars, err := qr.Encode(text, qr.H, qr.Auto)
	if err != nil {
		return Branded{}, fmt.Errorf("a QR code of %d bytes: %w", len(text), err)
	}
	if look.Ink == "" {
		look.Ink = "#000000"
	}
	if _, err := parse(look.Ink); err != nil {
		return Branded{}, err
	}
	return Branded{Code{side: bars.Bounds().Dx(), bars: bars}, look}, nil
}

// middle returns the square under the logo, in modules: its first row and column, and its side. The side is at most a quarter of the code's
// and, like that, odd.
func (b Branded) middle() (from, side int) {
	side = b.side / 4
	if side%2 == 0 {
		side--
	}
	return quiet + (b.side-side)/2, side
}

// SVG returns a complete SVG document, width units wide.
func (b Branded) SVG(width int) []byte {
	size, side := strconv.Itoa(b.Size()), strconv.Itoa(width)
	var file bytes.Buffer
	file.WriteString(`<svg ` +
		`xmlns="http://www.w3.org/2000/svg" width="` + side + `" height="` + side + `" viewBox="0 0 ` + size + ` ` + size + `">` +
		`<path fill="#fff" d="M0 0h` + size + `v` + size + `H0z"/><path fill="` + b.look.Ink + `" shape-rendering="crispEdges" ` +
		`d="` + b.Path() + `"/>`)
	if b.look.Logo != nil {
		from, side := b.middle()
		fmt.Fprintf(&file, `<path fill="#fff" d="M%d %dh%dv%dh-%dz"/><image x="%g" y="%g" width="%g" height="%g" href="data:%s;base64,%s"/>`,
			from, from, side, side, side, float64(from)+0.5, float64(from)+0.5, float64(side)-1, float64(side)-1,
			b.look.Media, base64.StdEncoding.EncodeToString(b.look.Logo))
	}
	file.WriteString("</svg>\n")
	return file.Bytes()
}

// PNG returns a PNG whose sides have at least width pixels, so many that each module gets the same whole number.
func (b Branded) PNG(width int) ([]byte, error) {
	scale := max(1, (width+b.Size()-1)/b.Size())
	side := b.Size() * scale
	ink, err := parse(b.look.Ink)
	if err != nil {
		return nil, err
	}
	picture := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(picture, picture.Bounds(), image.White, image.Point{}, draw.Src)
	for y := range b.side {
		for x := range b.side {
			if b.dark(x, y) {
				at := image.Rect(0, 0, scale, scale).Add(image.Pt((x+quiet)*scale, (y+quiet)*scale))
				draw.Draw(picture, at, image.NewUniform(ink), image.Point{}, draw.Src)
			}
		}
	}
	if b.look.Logo != nil && b.look.Media == "image/jpeg" {
		logo, _, err := image.Decode(bytes.NewReader(b.look.Logo))
		if err != nil {
			return nil, fmt.Errorf("the logo: %w", err)
		}
		b.stamp(picture, logo, scale)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// stamp puts the logo on a white square in the middle, half a module from its edges.
func (b Branded) stamp(picture *image.RGBA, logo image.Image, scale int) {
	from, side := b.middle()
	square := image.Rect(from*scale, from*scale, (from+side)*scale, (from+side)*scale)
	draw.Draw(picture, square, image.White, image.Point{}, draw.Src)
	room := square.Inset(scale / 2)
	w, h := logo.Bounds().Dx(), logo.Bounds().Dy()
	if w < 1 || h < 1 {
		return
	}
	fit := image.Pt(room.Dx(), max(1, room.Dx()*h/w))
	if h > w {
		fit = image.Pt(max(1, room.Dy()*w/h), room.Dy())
	}
	corner := room.Min.Add(room.Size().Sub(fit).Div(2))
	draw.CatmullRom.Scale(picture, image.Rectangle{corner, corner.Add(fit)}, logo, logo.Bounds(), draw.Over, nil)
}

func parse(hex string) (color.RGBA, error) {
	var c color.RGBA
	if n, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil || n != 3 || len(hex) != len("#rrggbb") {
		return c, fmt.Errorf("no colour: %q", hex)
	}
	c.A = 255
	return c, nil
}
