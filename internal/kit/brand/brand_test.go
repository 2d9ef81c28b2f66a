package brand

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

// accents covers the whole circle of hues in light, medium and dark, with the extremes and colours that merchants like.
func accents() []string {
	all := []string{"#000000", "#ffffff", "#808080", "#777777", "#b4532a", "#f2b705", "#0f766e", "#6d28d9", "#ff0000", "#00ff00", "#0000ff", "#ffff00"}
	for hue := 0.0; hue < 360; hue += 15 {
		for _, l := range []float64{0.3, 0.5, 0.58, 0.65, 0.8, 0.95} {
			all = append(all, oklch{l, 0.14, hue}.rgb().String())
		}
	}
	return all
}

func TestStylesheetIsReadable(t *testing.T) {
	t.Parallel()
	for _, accent := range accents() {
		colour, err := parse(accent)
		check.Must(t, err)
		lch := colour.oklch()
		for theme, p := range map[string]palette{"light": light(lch), "dark": dark(lch)} {
			grounds := map[string]rgb{
				"light sunk": oklch{0.96, 0.007, lch.h}.rgb(), "light ground": oklch{0.985, 0.004, lch.h}.rgb(), "light surface": white,
				"dark sunk": oklch{0.25, 0.014, lch.h}.rgb(), "dark ground": oklch{0.17, 0.01, lch.h}.rgb(), "dark surface": oklch{0.21, 0.012, lch.h}.rgb(),
			}
			pairs := map[string][2]rgb{
				"--brand-text on --brand-tint": {p.text, p.tint},
				"--on-brand on --brand":        {p.on, p.brand},
				"--on-brand on --brand-deep":   {p.on, p.deep},
				"--on-band on --band":          {p.onBand, p.band},
				"--on-band on --band-deep":     {p.onBand, p.bandDeep},
			}
			for name, ground := range grounds {
				if strings.HasPrefix(name, theme) {
					pairs["--brand-text on the "+name] = [2]rgb{p.text, ground}
				}
			}
			for name, pair := range pairs {
				if got := contrast(pair[0], pair[1]); got < readable {
					t.Errorf("%s, %s: %s has contrast %.2f (%s on %s)", accent, theme, name, got, pair[0], pair[1])
				}
			}
		}
	}
}

func TestStylesheetKeepsTheMerchantsColour(t *testing.T) {
	t.Parallel()
	for _, accent := range []string{"#b4532a", "#f2b705", "#0f766e", "#6d28d9"} {
		sheet, err := Stylesheet(accent)
		check.Must(t, err)
		check.Contains(t, sheet, "--brand:"+accent+";", "PAY-05 the page shows the brand colour %s", accent)
		bandLight, bandDark, err := Bands(accent)
		check.Must(t, err)
		if bandLight != accent || !strings.Contains(sheet, "--band:"+bandDark+";") {
			t.Errorf("Bands(%s) = %s, %s; want what the stylesheet holds: %s", accent, bandLight, bandDark, sheet)
		}
	}
}

func TestAccentIsChecked(t *testing.T) {
	t.Parallel()
	for _, accent := range []string{"", "#fff", "b4532a", "#b4532", "#b4532ag", "#+12345", "#b4532a;}", "red"} {
		_, err := Stylesheet(accent)
		check.ErrorIs(t, err, ErrAccent, "Stylesheet(%q) gave error", accent)
		_, _, err = Bands(accent)
		check.ErrorIs(t, err, ErrAccent, "Bands(%q) gave error", accent)
	}
}

func TestContrastFollowsWCAG(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"#000000", "#ffffff", 21},
		{"#ffffff", "#ffffff", 1},
		{"#777777", "#ffffff", 4.48},
		{"#0000ff", "#ffffff", 8.59},
	} {
		a, errA := parse(c.a)
		b, errB := parse(c.b)
		check.Must(t, errors.Join(errA, errB))
		if got := contrast(a, b); math.Abs(got-c.want) > 0.01 {
			t.Errorf("contrast(%s, %s) = %.3f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

func TestOklchRoundTrip(t *testing.T) {
	t.Parallel()
	for _, hex := range []string{"#000000", "#ffffff", "#b4532a", "#f2b705", "#0f766e", "#6d28d9", "#2347c5"} {
		colour, err := parse(hex)
		check.Must(t, err)
		check.Equal(t, colour.oklch().rgb().String(), hex, "became … after a round trip")
	}
	// Reference values of CSS Color 4.
	red := rgb{1, 0, 0}.oklch()
	check.Equal(t, fmt.Sprintf("%.3f %.3f %.1f", red.l, red.c, red.h), "0.628 0.258 29.2", "red is oklch")
}

func TestTextOnASolidGroundIsReadable(t *testing.T) {
	t.Parallel()
	for _, accent := range accents() {
		ground, text, err := Solid(accent)
		check.Must(t, err)
		below, err := parse(ground)
		check.Must(t, err)
		above, err := parse(text)
		check.Must(t, err)
		if got := contrast(above, below); got < readable {
			t.Errorf("%s: %s on %s has contrast %.2f", accent, text, ground, got)
		}
	}
	_, _, err := Solid("red")
	check.Error(t, err, "a word was accepted as a colour")
}

// tokens.css spells out the provider's own colours, as this package computes them.
func TestTokensHoldTheProvidersComputedColours(t *testing.T) {
	t.Parallel()
	tokens, err := os.ReadFile("../../../static/css/tokens.css")
	check.Must(t, err)
	sheet, err := Stylesheet("#2347c5")
	check.Must(t, err)
	compact := strings.Join(strings.Fields(string(tokens)), "")
	for _, theme := range []string{sheet[strings.Index(sheet, "--brand:"):strings.Index(sheet, "}@")], sheet[strings.LastIndex(sheet, "--brand:"):strings.Index(sheet, "}}")]} {
		for property := range strings.SplitSeq(theme, ";") {
			check.Contains(t, compact, property+";", "tokens.css lacks %s", property)
		}
	}
}
