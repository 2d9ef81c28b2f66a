// Package qr draws QR codes as pictures that print and scan well.
package qr

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strconv"
	"strings"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
)

// quiet is the blank margin that readers need, in modules on each side.
const quiet = 4

// Code is the QR code of a text. Its error correction M lets it read with 15 % dirty or torn.
type Code struct {
	side int // modules along a side, without the quiet zone
	bars barcode.Barcode
}

// New encodes a text of at most 2,331 bytes. It returns an error if the text is empty or longer.
func New(text string) (Code, error) {
	if text == "" {
		return Code{}, fmt.Errorf("a QR code of nothing")
	}
	bars, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return Code{}, fmt.Errorf("a QR code of %d bytes: %w", len(text), err)
	}
	return Code{side: bars.Bounds().Dx(), bars: bars}, nil
}

// Size returns the number of modules along a side, with the quiet zone.
func (c Code) Size() int { return c.side + 2*quiet }

// Path returns the dark modules as the d attribute of an SVG path, one unit to a module. It leaves room for the quiet zone, so the viewBox
// is "0 0 Size Size". Each bar begins relative to the one before, since a sheet of codes then takes fewer bytes on the wire.
func (c Code) Path() string {
	var d strings.Builder
	left, top := -quiet, -quiet
	for y := range c.side {
		for x := 0; x < c.side; x++ {
			run := 0
			for x+run < c.side && c.dark(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&d, "m%d %dh%dv1h-%dz", x-left, y-top, run, run)
				left, top = x, y
				x += run
			}
		}
	}
	return d.String()
}

// SVG returns a complete SVG document, black on white, width units wide.
func (c Code) SVG(width int) []byte {
	size, side := strconv.Itoa(c.Size()), strconv.Itoa(width)
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="` + side + `" height="` + side + `" viewBox="0 0 ` + size + ` ` + size +
		`" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h` + size + `v` + size + `H0z"/><path d="` + c.Path() + `"/></svg>` + "\n")
}

// PNG returns a PNG whose sides have at least width pixels, so many that each module gets the same whole number.
func (c Code) PNG(width int) ([]byte, error) {
	scale := max(1, (width+c.Size()-1)/c.Size())
	side := c.Size() * scale
	picture := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.White, color.Black})
	for y := range c.side {
		for x := range c.side {
			if c.dark(x, y) {
				fill(picture, (x+quiet)*scale, (y+quiet)*scale, scale)
			}
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

func fill(picture *image.Paletted, left, top, side int) {
	for y := top; y < top+side; y++ {
		row := picture.Pix[y*picture.Stride+left:]
		for x := range side {
			row[x] = 1
		}
	}
}

func (c Code) dark(x, y int) bool {
	r, _, _, _ := c.bars.At(x, y).RGBA()
	return r == 0
}
