package typeface_test

import (
	"bytes"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/typeface"
)

func TestUnknownLettersAreDrawnAsBoxes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Café Zoë · 20 % – “ok”…":           "",
		"Ταβέρνα Ὁ Ἥλιος":                   "", // the polytonic accents come from DejaVu
		"Чебуречная Київ ў":                 "",
		"Қазақстан":                         "",
		"Phở Việt Nam":                      "",
		"Pho\u031b\u0309":                   "Phở", // combining marks, as some keyboards send them
		"Հայաստան":                          "",
		"საქართველო":                        "",
		"中文 Noodles":                        "□□ Noodles",
		"مطعم 24":                           "□□□□ 24", // rather than reversed, unjoined letters
		"שלום":                              "□□□□",
		"ไทย":                               "□□□",
		"हिन्दी":                            "□□□□□□",
		"Pizza 🍕 & 👨\u200d👩\u200d👧 ❤\ufe0f": "Pizza □ & □□□ ❤",
		"q\u0308":                           "q□", // there is no such composed letter
		"Phở 中文":                            "Phở □□",
		"𝔸bc":                               "□bc",
	} {
		if want == "" {
			want = name
		}
		check.Equal(t, typeface.Drawn(name), want, "%q is drawn", name)
		check.Equal(t, typeface.Whole(name), !bytes.ContainsRune([]byte(want), typeface.Box), "Whole(%q)", name)
		p := typeface.New()
		p.AddPage()
		p.SetFont("B", 12)
		p.SetTitle(name)
		p.SetAuthor(name)
		p.Bookmark(name)
		p.MultiCell(60, 6, name)
		if wide, drawn := p.GetStringWidth(name), p.GetStringWidth(want); wide != drawn || wide == 0 {
			t.Errorf("%q is %v wide, its drawing %v", name, wide, drawn)
		}
		check.NoError(t, p.Output(&bytes.Buffer{}), "%q", name)
	}
}
