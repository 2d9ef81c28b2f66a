package web_test

import (
	"strings"
	"testing"

	"forecourt/handlers/web"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/check"
)

func TestTheMenuOfATableOrAName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, table, customer, want string }{
		{"a table (PAY-41)", "4", "", "/pos/panezski?t=4"},
		{"a name (PAY-42)", "", "Zoë & Co", "/pos/panezski?n=Zo%C3%AB+%26+Co"},
		{"a table goes before a name", "4", "Ann", "/pos/panezski?t=4"},
		{"neither (PAY-42)", "", "", "/pos/panezski"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check.Equal(t, web.MenuURL("panezski", tt.table, tt.customer), tt.want, "web.MenuURL")
		})
	}
}

func TestTheFrameOfAMerchant(t *testing.T) {
	t.Parallel()
	shop := brand.Shop{Code: "shop", Name: "The Shop", Tagline: "Open", Accent: "#b4432a", Logo: "img/logo/panezski.svg"}
	m := web.MerchantLook(shop)
	if m.Name != "The Shop" || m.Live || m.Logo.Src == "" || m.Logo.Width != 56 || m.ThemeLight == "" || m.ThemeDark == "" || !strings.Contains(m.Colours.Text, "--brand:#b4432a;") {
		t.Errorf("POS-03 PAY-05 %+v", m)
	}
	if plain := web.MerchantLook(brand.Shop{Code: "shop", Accent: "no colour"}); plain.Colours.Text != "" || plain.Logo.Src != "" || plain.ThemeLight != "" {
		t.Errorf("a merchant without colours or logo has %+v", plain)
	}
	if c := web.CustomerFrame("Menu", shop, "4", "menu.js"); c.Table != "4" || len(c.Scripts) != 1 || !strings.HasPrefix(c.Scripts[0], "/static/") {
		t.Errorf("%+v", c)
	}
}
