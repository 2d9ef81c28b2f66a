package static

import (
	"net/url"
	"strings"
	"testing"
)

func TestATinyDrawingIsPartOfThePage(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"img/favicon.svg", "img/logo/panezski.svg"} {
		drawing, ok := strings.CutPrefix(Within(URL(name)), "data:image/svg+xml,")
		text, err := url.PathUnescape(drawing)
		if !ok || err != nil || !strings.HasPrefix(text, "<svg ") || !strings.HasSuffix(text, "</svg>") {
			t.Errorf("%s is %q: %v", name, drawing, err)
		}
		if strings.ContainsAny(drawing, `<>"#& `) {
			t.Errorf("%s is not fully escaped: %s", name, drawing)
		}
	}
	for _, address := range []string{URL("img/pictures/pizza.svg"), URL("img/touch-icon.png"), "/picture/0123", ""} {
		if got := Within(address); got != address {
			t.Errorf("%s became %s", address, got)
		}
	}
}
