package qr_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/qr"
)

func red(t *testing.T, w, h int) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range picture.Pix {
		picture.Pix[i] = []uint8{220, 20, 20, 255}[i%4]
	}
	var file bytes.Buffer
	check.Must(t, jpeg.Encode(&file, picture, nil))
	return file.Bytes()
}

func TestABrandedCodeHasColourLogoAndMargin(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{"square": {96, 96}, "wide": {300, 40}, "tall": {20, 200}} {
		code, err := qr.NewBranded(text, qr.Look{Ink: "#123456", Logo: red(t, size[0], size[1]), Media: "image/jpeg"})
		check.Must(t, err)
		file, err := code.PNG(1000)
		check.Must(t, err)
		picture, err := png.Decode(bytes.NewReader(file))
		check.Must(t, err)
		side := picture.Bounds().Dx()
		scale := side / code.Size()
		hidden, inked := 0, 0
		for y := range code.Size() {
			for x := range code.Size() {
				c := color.RGBAModel.Convert(picture.At(x*scale+scale/2, y*scale+scale/2)).(color.RGBA)
				margin := min(x, y, code.Size()-1-x, code.Size()-1-y) < 4
				switch {
				case margin && c != color.RGBA{255, 255, 255, 255}:
					t.Fatalf("%s: %d, %d in the quiet zone is %v", name, x, y, c)
				case c == color.RGBA{0x12, 0x34, 0x56, 255}:
					inked++
				case c.R > 150 && c.G < 100:
					hidden++
				}
			}
		}
		modules := (code.Size() - 8) * (code.Size() - 8)
		if hidden == 0 || inked < modules/3 {
			t.Errorf("%s: %d modules show the logo and %d the colour", name, hidden, inked)
		}
		if hidden*100 > 7*modules {
			t.Errorf("%s: the logo hides %d of %d modules", name, hidden, modules)
		}
	}
}

func TestABrandedSVG(t *testing.T) {
	t.Parallel()
	code, err := qr.NewBranded(text, qr.Look{Ink: "#123456", Logo: []byte("<svg/>"), Media: "image/svg+xml"})
	check.Must(t, err)
	if svg := string(code.SVG(512)); !strings.Contains(svg, `fill="#123456"`) || !strings.Contains(svg, `href="data:image/svg+xml;base64,PHN2Zy8+"`) {
		t.Errorf("the SVG lacks the colour or the logo: %s", svg)
	}
	plain, err := qr.NewBranded(text, qr.Look{})
	if err != nil || strings.Contains(string(plain.SVG(512)), "<image") || !strings.Contains(string(plain.SVG(512)), "#000000") {
		t.Errorf("NewBranded without a logo: %v", err)
	}
	for name, look := range map[string]qr.Look{"an invalid colour": {Ink: "red"}, "a colour that ends an attribute": {Ink: `#12"/>56`}} {
		_, err := qr.NewBranded(text, look)
		check.Error(t, err, "%s was accepted", name)
	}
}
