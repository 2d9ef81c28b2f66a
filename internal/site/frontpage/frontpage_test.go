package frontpage_test

import (
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/site/frontpage"
)

func TestEntriesLinkOnlyToThisSiteOrHTTPS(t *testing.T) {
	t.Parallel()
	const unfit, long = "Enter a page of this site, such as /docs, or an address that begins with https://.", "Use at most 500 characters for the address."
	t.Run("an entry's address is a page of this site, or https (NAV-09)", func(t *testing.T) {
		for address, want := range map[string]string{
			"": "", "/": "", "/docs": "", "/#contact": "", "/search?a=b": "", "https://old.example/x": "", "https://old.example:8443": "",
			"http://old.example": unfit, "javascript:alert(1)": unfit, "//evil.example": unfit, `/\evil.example`: unfit, "docs": unfit,
			"https://": unfit, "https://a@evil.example": unfit, "data:text/html,x": unfit, "https:evil.example": unfit, "/" + strings.Repeat("x", 500): long,
			"https://a b.example": unfit, "ftp://x.example": unfit, "/a\u202eb": "",
		} {
			e, problems := frontpage.CheckEntry(frontpage.Entry{Name: " A  b ", Url: address})
			if problems["url"] != want || e.Name != "A b" || len(problems) > 1 {
				t.Errorf("%q: %v", address, problems)
			}
		}
	})
	_, problems := frontpage.CheckEntry(frontpage.Entry{})
	check.Equal(t, problems["name"], "Enter a name.", "an entry without a name: %v", problems)
}

func TestSlides(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]frontpage.Slide{
		"":               {Title: "Bread", SubTitle: strings.Repeat("é", 200), Picture: "/picture/bread"},
		"Enter a title.": {Title: " "}, "Use at most 80 characters for the title.": {Title: strings.Repeat("é", 81)},
		"This looks like a card number. Leave it out.": {Title: "4111 1111 1111 1111"},
	} {
		if _, problems := frontpage.CheckSlide(s, true); problems["title"] != want || len(problems) > 1 {
			t.Errorf("LAND-02 %.20q: %v", s.Title, problems)
		}
	}
	_, problems := frontpage.CheckSlide(frontpage.Slide{Title: "x", Picture: "../secret"}, false)
	check.Equal(t, problems["picture"], "Choose a picture of the list.", "a picture not on the list: %v", problems)
}

func TestMove(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		id      string
		up      bool
		want    string
		changed bool
	}{{"b", true, "bac", true}, {"b", false, "acb", true}, {"a", true, "abc", false}, {"c", false, "abc", false}, {"x", true, "abc", false}} {
		ids := []string{"a", "b", "c"}
		got, changed := frontpage.Move(ids, tt.id, tt.up)
		if strings.Join(got, "") != tt.want || changed != tt.changed || !slices.Equal(ids, []string{"a", "b", "c"}) {
			t.Errorf("%s up %t: %v %t", tt.id, tt.up, got, changed)
		}
	}
}
