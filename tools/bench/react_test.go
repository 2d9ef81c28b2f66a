package main

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/andybalholm/brotli"
)

// React hydrates a page only if it would render the same one.
func TestTheReactPagesHoldTheirContentAndData(t *testing.T) {
	t.Chdir("../..")
	var menu publicMenu
	if err := json.Unmarshal([]byte(`{"name": "Corner Café", "items": [{"id": 7, "name": "Toast </script>", "description": "Two slices", "price": "4.50", "image": "/static/toast.svg"}]}`), &menu); err != nil {
		t.Fatal(err)
	}
	var order publicOrder
	if err := json.Unmarshal([]byte(`{"id": "A1", "amount": "9.00", "currency": "AUD", "table": "4", "order": [{"name": "Toast", "price": "4.50", "order": {"qty": 2}, "info": {"image": "/static/toast.svg"}}]}`), &order); err != nil {
		t.Fatal(err)
	}
	answers, err := reactPages(menu, order)
	if err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"/react-menu": {
			"<h1>Corner Café</h1>", "<p>$4.50</p>", `<img src="/static/toast.svg" alt="" width="96" height="96">`, `"price":"4.50"`, `Toast \u003c/script\u003e`,
		},
		"/react-pay": {
			"<h1>Pay Corner Café</h1>", "<p>$9.00 AUD</p>", "<span>Toast</span><span>× 2</span><span>$4.50</span>", "<p>Ref A1</p>",
			`<label for="exp">Expiry</label><input id="exp" name="exp" autocomplete="cc-exp" inputmode="numeric" value="">`, `<button type="submit">Pay $9.00</button>`, `"amount":"9.00"`,
		},
	} {
		page := plainText(t, answers[name+".html"])
		for _, want := range wants {
			if !bytes.Contains(page, []byte(want)) {
				t.Errorf("%s lacks %q: %s", name, want, page)
			}
		}
		if script := plainText(t, answers[name+".js"]); !bytes.Contains(script, []byte("hydrate")) || len(script) < 100_000 {
			t.Errorf("the script of %s has %d bytes: it is not React", name, len(script))
		}
	}
}

func plainText(t *testing.T, a answer) []byte {
	t.Helper()
	text, err := io.ReadAll(brotli.NewReader(bytes.NewReader(a.Body)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
