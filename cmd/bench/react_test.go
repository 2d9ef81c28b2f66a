package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

// React hydrates only what it would have drawn itself.
func TestTheReactPageHoldsTheMenuAndItsData(t *testing.T) {
	t.Chdir("../..")
	var menu publicMenu
	if err := json.Unmarshal([]byte(`{"name": "Corner Café", "items": [{"id": 7, "name": "Toast </script>", "description": "Two slices", "price": "4.50", "image": "/static/toast.svg"}]}`), &menu); err != nil {
		t.Fatal(err)
	}
	page, script, err := hydrated(menu)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<h1>Corner Café</h1>", "<p>$4.50</p>", `<img src="/static/toast.svg" alt="" width="96" height="96">`, `"price":"4.50"`, `Toast \u003c/script\u003e`,
	} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %q: %s", want, page)
		}
	}
	if !bytes.Contains(script, []byte("hydrate")) || len(script) < 100_000 {
		t.Errorf("the script has %d bytes: it is not React", len(script))
	}
}
