package ui

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
)

func TestChoices(t *testing.T) {
	t.Parallel()
	choice := Choice{
		Field:   Field{ID: "kind", Name: "kind", Label: "Kind & co", Hint: "Choose", Problem: "Choose one", Required: true},
		Options: []Option{{Value: "a", Label: "A"}, {Value: "b", Label: "B", Hint: "the second", Chosen: true}},
	}
	for _, tt := range []struct {
		name string
		view templ.Component
		has  []string
	}{
		{"a select names its label, its hint and its problem", Select(choice), []string{
			`<label for="kind">Kind &amp; co</label>`, `<select id="kind" name="kind" required`, `aria-invalid="true"`,
			`aria-describedby="kind-hint kind-problem"`, `<option value="b" selected>B</option>`,
		}},
		{"boxes are a group, whose first one the error summary leads to", Checkboxes(choice), []string{
			"<fieldset", `aria-describedby="kind-hint kind-problem"`, "data-required", "<legend>Kind &amp; co</legend>",
			`<input id="kind" type="checkbox" name="kind" value="a">`, `<input id="kind-2" type="checkbox" name="kind" value="b" checked>`,
			`<span class="hint">the second</span>`,
		}},
		{"radios", Radios(choice), []string{`<input id="kind-2" type="radio" name="kind" value="b" checked>`}},
		{"a text with several lines", Textarea(Field{ID: "t", Name: "t", Label: "Text", Value: "one\n<two>"}, 4), []string{
			`<label for="t">Text</label>`, `rows="4"`, ">one\n&lt;two&gt;</textarea>",
		}},
		{"a text with a card number in a line", Textarea(Field{ID: "t", Value: "reference,amount\n4111:1111:1111:1111,3.00\nINV-7,4.00"}, 4), []string{
			">reference,amount\n[card number left out]\nINV-7,4.00</textarea>",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			must.NoError(t, tt.view.Render(t.Context(), &out))
			for _, want := range tt.has {
				check.Contains(t, out.String(), want, "lacks … in %s", &out)
			}
		})
	}
}
