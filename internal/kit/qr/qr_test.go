package qr_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/qr"
)

const text = "https://pay.example/pos/panezski?t=7"

func TestTheLayoutOfACode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		size       int // 17 + 4n modules for version n, and four on each side
	}{
		{"a short text", "A", 29},
		{"the menu of a table", text, 37},
		{"a long text", strings.Repeat("x", 2331), 185},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, err := qr.New(tt.text)
			if err != nil || code.Size() != tt.size {
				t.Fatalf("%d modules, want %d; %v", code.Size(), tt.size, err)
			}
			fromPath := drawn(t, code)
			for y := range code.Size() {
				for x := range code.Size() {
					margin := min(x, y, code.Size()-1-x, code.Size()-1-y) < 4
					if margin && fromPath[y][x] {
						t.Fatalf("QR-04 a module at %d, %d is in the quiet zone", x, y)
					}
				}
			}
		})
	}
}

func TestTheSVGAndThePNGShowTheSameCode(t *testing.T) {
	t.Parallel()
	code, err := qr.New(text)
	check.Must(t, err)
	file, err := code.PNG(1000)
	check.Must(t, err)
	picture, err := png.Decode(bytes.NewReader(file))
	check.Must(t, err)
	side := picture.Bounds().Dx()
	if side < 1000 || side%code.Size() != 0 || side != picture.Bounds().Dy() {
		t.Fatalf("%d pixels for %d modules", side, code.Size())
	}
	modules, scale := drawn(t, code), side/code.Size()
	for y := range side {
		for x := range side {
			check.MustEqual(t, dark(picture, x, y), modules[y/scale][x/scale], "the pictures differ at pixel %d, %d", x, y)
		}
	}
	if len(file) > 4<<10 {
		t.Errorf("the PNG has %d bytes, want at most 4 KiB", len(file))
	}
}

func TestTheSVGFile(t *testing.T) {
	t.Parallel()
	code, err := qr.New(text)
	check.Must(t, err)
	var picture struct {
		XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
		Width   int      `xml:"width,attr"`
		Height  int      `xml:"height,attr"`
		ViewBox string   `xml:"viewBox,attr"`
		Paths   []struct {
			Fill string `xml:"fill,attr"`
			D    string `xml:"d,attr"`
		} `xml:"path"`
	}
	check.Must(t, xml.Unmarshal(code.SVG(512), &picture))
	if picture.Width != 512 || picture.Height != 512 || picture.ViewBox != "0 0 37 37" || len(picture.Paths) != 2 {
		t.Errorf("%+v", picture)
	}
	if picture.Paths[0].Fill != "#fff" || picture.Paths[1].D != code.Path() {
		t.Error("the SVG does not show the code on white")
	}
}

func TestTextsThatDoNotFit(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"nothing": "", "too much": strings.Repeat("x", 2332)} {
		_, err := qr.New(text)
		check.Error(t, err, "New accepted %s", name)
	}
}

var bar = regexp.MustCompile(`m(-?\d+) (\d+)h(\d+)v1h-(\d+)z`)

// drawn converts a code's path back into modules.
func drawn(t *testing.T, code qr.Code) [][]bool {
	t.Helper()
	modules := make([][]bool, code.Size())
	for y := range modules {
		modules[y] = make([]bool, code.Size())
	}
	check.MustEqual(t, bar.ReplaceAllString(code.Path(), ""), "", "the path contains more than bars")
	x, y := 0, 0
	for _, found := range bar.FindAllStringSubmatch(code.Path(), -1) {
		x, y = x+number(found[1]), y+number(found[2]) // closing a bar leads back to its start
		run := number(found[3])
		if found[3] != found[4] {
			t.Fatalf("%s does not return to its start", found[0])
		}
		for i := range run {
			modules[y][x+i] = true
		}
	}
	return modules
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(fmt.Sprintf("%q", s))
	}
	return n
}

func dark(picture image.Image, x, y int) bool {
	return color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y < 128
}
