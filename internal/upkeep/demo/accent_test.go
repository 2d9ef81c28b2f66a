package demo

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
)

func TestAccents(t *testing.T) {
	t.Parallel()
	t.Run("accents are far apart and one is light", func(t *testing.T) {
		t.Parallel()
		all, light := load(t), 0
		for i, b := range all {
			hue, luminance := colour(t, b.Accent)
			if luminance > 0.5 {
				light++
			}
			for _, other := range all[:i] {
				h, _ := colour(t, other.Accent)
				if apart := math.Abs(math.Mod(hue-h+540, 360) - 180); apart < 25 {
					t.Errorf("%s and %s: hues are %.0f degrees apart, want 25", b.Code, other.Code, apart)
				}
			}
		}
		check.Equal(t, light, 1, "light accents")
	})
}

// colour returns the hue in degrees and the relative luminance (WCAG) of "#RRGGBB".
func colour(t *testing.T, hex string) (hue, luminance float64) {
	t.Helper()
	if !regexp.MustCompile(`^#[0-9A-F]{6}$`).MatchString(hex) {
		t.Fatalf("accent %q, want #RRGGBB", hex)
	}
	n, err := strconv.ParseUint(hex[1:], 16, 24)
	must.NoError(t, err)
	r, g, b := float64(n>>16)/255, float64(n>>8&255)/255, float64(n&255)/255
	hue = math.Atan2(math.Sqrt(3)*(g-b), 2*r-g-b) * 180 / math.Pi
	linear := func(c float64) float64 {
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return hue, 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
