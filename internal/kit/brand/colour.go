package brand

import (
	"fmt"
	"math"
	"strconv"
)

// rgb is an sRGB colour, each part from 0 to 1.
type rgb struct{ r, g, b float64 }

// oklch is a colour by perceived lightness (0 to 1), chroma (0 to about 0.37) and hue (degrees).
type oklch struct{ l, c, h float64 }

var (
	white = rgb{1, 1, 1}
	black = rgb{}
)

func parse(hex string) (rgb, error) {
	if len(hex) != 7 || hex[0] != '#' {
		return rgb{}, ErrAccent
	}
	n, err := strconv.ParseUint(hex[1:], 16, 24)
	if err != nil {
		return rgb{}, ErrAccent
	}
	part := func(shift uint) float64 { return float64(n>>shift&0xff) / 255 }
	return rgb{part(16), part(8), part(0)}, nil
}

// String prints the colour as "#rrggbb".
func (c rgb) String() string {
	part := func(v float64) int { return int(math.Round(v * 255)) }
	return fmt.Sprintf("#%02x%02x%02x", part(c.r), part(c.g), part(c.b))
}

// rounded returns the colour as String prints it, so that contrast is computed for what the browser shows.
func (c rgb) rounded() rgb {
	part := func(v float64) float64 { return math.Round(v*255) / 255 }
	return rgb{part(c.r), part(c.g), part(c.b)}
}

// contrast is the WCAG 2 contrast ratio of two colours, from 1 to 21.
func contrast(a, b rgb) float64 {
	la, lb := a.luminance(), b.luminance()
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func (c rgb) luminance() float64 {
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func gamma(v float64) float64 {
	if v <= 0.0031308 {
		return v * 12.92
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// oklch converts with the matrices of Björn Ottosson's Oklab.
func (c rgb) oklch() oklch {
	r, g, b := linear(c.r), linear(c.g), linear(c.b)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	lightness := 0.2104542553*l + 0.7936177850*m - 0.0040720468*s
	x := 1.9779984951*l - 2.4285922050*m + 0.4505937099*s
	y := 0.0259040371*l + 0.7827717662*m - 0.8086757660*s
	hue := math.Atan2(y, x) * 180 / math.Pi
	if hue < 0 {
		hue += 360
	}
	return oklch{lightness, math.Hypot(x, y), hue}
}

// rgb converts to sRGB and lowers the chroma until the colour lies within it.
func (c oklch) rgb() rgb {
	if out, ok := c.exact(); ok {
		return out.rounded()
	}
	low, high := 0.0, c.c
	for high-low > 0.0005 {
		middle := (low + high) / 2
		if _, ok := (oklch{c.l, middle, c.h}).exact(); ok {
			low = middle
		} else {
			high = middle
		}
	}
	out, _ := oklch{c.l, low, c.h}.exact()
	return out.rounded()
}

// exact converts to sRGB and reports whether the colour lies inside it. Parts outside are clipped.
func (c oklch) exact() (rgb, bool) {
	x, y := c.c*math.Cos(c.h*math.Pi/180), c.c*math.Sin(c.h*math.Pi/180)
	l := cube(c.l + 0.3963377774*x + 0.2158037573*y)
	m := cube(c.l - 0.1055613458*x - 0.0638541728*y)
	s := cube(c.l - 0.0894841775*x - 1.2914855480*y)
	r := gamma(4.0767416621*l - 3.3077115913*m + 0.2309699292*s)
	g := gamma(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s)
	b := gamma(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s)
	inside := func(v float64) bool { return v > -0.0005 && v < 1.0005 }
	return rgb{cut(r), cut(g), cut(b)}, inside(r) && inside(g) && inside(b)
}

func cube(v float64) float64 { return v * v * v }

func cut(v float64) float64 { return min(max(v, 0), 1) }
