package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
)

// On a phone there is often no way to change a file, so the page lets its text be corrected.
func TestAFileWithAMistakeIsCorrectedInThePage(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	shopOf(t, app, "ann@example.com")
	const path, wrong = "/desk/anns/menu/import", "category,name,price\nSoups,\"Leek & <potato>\",abc\n"
	send := func(file, text string) *apptest.Visitor {
		t.Helper()
		answer := app.PostFile(t, path, url.Values{"way": {"replace"}, "text": {text}}, "file", []byte(file))
		return app.Read(t, path, answer)
	}
	text := func(v *apptest.Visitor) string { return strings.Join(v.Texts("textarea"), "") }
	v := send("\ufeff"+wrong, "")
	v.Has("Row 2, column price: Enter a price like 4.50.", "Correct it here")
	if v.Status != http.StatusUnprocessableEntity || text(v) != strings.Join(strings.Fields(wrong), " ") {
		t.Errorf("%d, the page shows %q", v.Status, text(v))
	}
	wide := "\xff\xfe" // UTF-16
	for _, c := range []byte(wrong) {
		wide += string([]byte{c, 0})
	}
	if v = send(wide, "").Has("Row 2, column price: Enter a price like 4.50."); text(v) != strings.Join(strings.Fields(wrong), " ") {
		t.Errorf("for UTF-16 the page shows %q", text(v))
	}
	if v = send(strings.Repeat("x", 5<<20), wrong); !strings.Contains(text(v), "Leek & <potato>") {
		t.Error("a file that is too large loses what was typed")
	}
	if v = send("", strings.ReplaceAll(wrong, "abc", "9.50")); v.Status != http.StatusOK || v.HasNot("Correct it here").Find("input", "name=revision") == nil {
		t.Errorf("corrected in the page: %d", v.Status)
	}
	v.Press("Import 2 changes into the draft").Has("Leek & <potato>", "$9.50")
	send("", "").Has("Choose a file.").HasNot("Correct it here")
	send("category,name,price\nCaf\xe9,Pie,x\n", "").HasNot("Correct it here") // cannot be shown as text
	if v = send("category,name,price\nA,"+strings.Repeat("b", 50<<10)+",1\n", ""); v.Find("textarea", "name=text") != nil {
		t.Error("the page holds the text of a long file")
	}
}
