package ui

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
)

func TestInput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		field      Field
		has, lacks []string
	}{
		{
			"a plain field is a text field with its label",
			Field{ID: "f", Name: "n", Label: "Name"},
			[]string{`<label for="f">Name</label>`, `id="f" name="n" type="text" value=""`},
			[]string{"required", "aria-", "maxlength", "placeholder", "hint", "problem"},
		},
		{
			"all properties of a field reach the browser",
			Field{
				ID: "f", Name: "n", Label: "Card Number", Value: `"1"`, Type: "tel", Autocomplete: "cc-number", InputMode: "numeric",
				EnterKeyHint: "next", Placeholder: "1234", MaxLength: 64, Required: true,
			},
			[]string{
				`type="tel"`, `value="&#34;1&#34;"`, `autocomplete="cc-number"`, `inputmode="numeric"`, `enterkeyhint="next"`,
				`placeholder="1234"`, `maxlength="64"`, " required",
			},
			nil,
		},
		{
			"a card number in a field for something else is not repeated",
			Field{ID: "f", Name: "n", Label: "Reference", Value: "INV 4111+1111+1111+1111", Problem: "Leave it out"},
			[]string{`value=""`, "Leave it out"},
			[]string{"1111"},
		},
		{
			"a long reference is repeated",
			Field{ID: "f", Name: "n", Label: "Reference", Value: "INV-1764000000000"},
			[]string{`value="INV-1764000000000"`},
			nil,
		},
		{
			"hint and problem describe the field, in that order",
			Field{ID: "f", Label: "Name", Hint: "As on the card", Problem: "Enter a name"},
			[]string{
				`aria-invalid="true"`, `aria-describedby="f-hint f-problem"`, `id="f-hint">As on the card</p>`, `id="f-problem"`,
			},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			must.NoError(t, Input(c.field).Render(t.Context(), &out))
			for _, want := range c.has {
				check.Contains(t, out.String(), want, "out.String")
			}
			for _, not := range c.lacks {
				check.Lacks(t, out.String(), not, "out.String")
			}
		})
	}
}

func TestErrorSummary(t *testing.T) {
	t.Parallel()
	var none, some strings.Builder
	good, bad := Field{ID: "good"}, Field{ID: "bad", Problem: "Enter a name"}
	must.NoError(t, ErrorSummary(good).Render(t.Context(), &none))
	must.NoError(t, ErrorSummary(good, bad).Render(t.Context(), &some))
	if none.Len() > 0 {
		t.Errorf("a form without problems has no summary: %s", none.String())
	}
	if !strings.Contains(some.String(), `<a href="#bad">Enter a name</a>`) || strings.Contains(some.String(), "#good") {
		t.Errorf("the summary links each problem to its field: %s", some.String())
	}
}

func TestIcon(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"arrow-left", "arrow-right", "check", "chevron-down", "circle-alert", "clock", "info", "lock",
		"shopping-bag", "triangle-alert", "x",
	} {
		var out strings.Builder
		must.NoError(t, Icon(name).Render(t.Context(), &out))
		if !strings.Contains(out.String(), "<path") || !strings.Contains(out.String(), `aria-hidden="true"`) {
			t.Errorf("icon %s: %s", name, out.String())
		}
	}
}
