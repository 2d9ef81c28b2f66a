package ui

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"forecourt/internal/kit/check"
)

func TestTheParts(t *testing.T) {
	t.Parallel()
	choice := Choice{
		Field:   Field{ID: "kind", Name: "kind", Label: "Kind & co", Hint: "Choose", Problem: "Choose one", Required: true},
		Options: []Option{{Value: "a", Label: "A"}, {Value: "b", Label: "B", Hint: "the second", Chosen: true}},
	}
	good, bad := Field{ID: "good"}, Field{ID: "bad", Problem: "Enter a name"}
	for _, tt := range []struct {
		name       string
		part       templ.Component
		has, lacks []string
	}{
		{"a select names its label, its hint and its problem", Select(choice), []string{
			`<label for="kind">Kind &amp; co</label>`, `<select id="kind" name="kind" required`, `aria-invalid="true"`,
			`aria-describedby="kind-hint kind-problem"`, `<option value="b" selected>B</option>`,
		}, nil},
		{"boxes are a group, whose first one the error summary leads to", Checkboxes(choice), []string{
			"<fieldset", `aria-describedby="kind-hint kind-problem"`, "data-required", "<legend>Kind &amp; co</legend>",
			`<input id="kind" type="checkbox" name="kind" value="a">`, `<input id="kind-2" type="checkbox" name="kind" value="b" checked>`,
			`<span class="hint">the second</span>`,
		}, nil},
		{"radios", Radios(choice), []string{`<input id="kind-2" type="radio" name="kind" value="b" checked>`}, nil},
		{"a text with several lines", Textarea(Field{ID: "t", Name: "t", Label: "Text", Value: "one\n<two>"}, 4), []string{
			`<label for="t">Text</label>`, `rows="4"`, ">one\n&lt;two&gt;</textarea>",
		}, nil},
		{"a text with a card number in a line", Textarea(Field{ID: "t", Value: "reference,amount\n4111:1111:1111:1111,3.00\nINV-7,4.00"}, 4), []string{
			">reference,amount\n[card number left out]\nINV-7,4.00</textarea>",
		}, nil},
		{
			"a plain field is a text field with its label",
			Input(Field{ID: "f", Name: "n", Label: "Name"}),
			[]string{`<label for="f">Name</label>`, `id="f" name="n" type="text" value=""`},
			[]string{"required", "aria-", "maxlength", "placeholder", "hint", "problem"},
		},
		{
			"all properties of a field reach the browser",
			Input(Field{
				ID: "f", Name: "n", Label: "Card Number", Value: `"1"`, Type: "tel", Autocomplete: "cc-number", InputMode: "numeric",
				EnterKeyHint: "next", Placeholder: "1234", MaxLength: 64, Required: true,
			}),
			[]string{
				`type="tel"`, `value="&#34;1&#34;"`, `autocomplete="cc-number"`, `inputmode="numeric"`, `enterkeyhint="next"`,
				`placeholder="1234"`, `maxlength="64"`, " required",
			},
			nil,
		},
		{
			"a card number in a field for something else is not repeated",
			Input(Field{ID: "f", Name: "n", Label: "Reference", Value: "INV 4111+1111+1111+1111", Problem: "Leave it out"}),
			[]string{`value=""`, "Leave it out"},
			[]string{"1111"},
		},
		{
			"a long reference is repeated",
			Input(Field{ID: "f", Name: "n", Label: "Reference", Value: "INV-1764000000000"}),
			[]string{`value="INV-1764000000000"`},
			nil,
		},
		{
			"hint and problem describe the field, in that order",
			Input(Field{ID: "f", Label: "Name", Hint: "As on the card", Problem: "Enter a name"}),
			[]string{
				`aria-invalid="true"`, `aria-describedby="f-hint f-problem"`, `id="f-hint">As on the card</p>`, `id="f-problem"`,
			},
			nil,
		},
		{"a form without problems has no summary", ErrorSummary(good), nil, []string{"<"}},
		{"the summary links each problem to its field", ErrorSummary(good, bad), []string{`<a href="#bad">Enter a name</a>`}, []string{"#good"}},
		{"an icon is decoration", Icon("arrow-left"), []string{"<path", `aria-hidden="true"`}, []string{`d=""`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			check.Must(t, tt.part.Render(t.Context(), &out))
			for _, want := range tt.has {
				check.Contains(t, out.String(), want, "the part")
			}
			for _, not := range tt.lacks {
				check.Lacks(t, out.String(), not, "the part")
			}
		})
	}
}
