// Command generate writes the code of the icons, the names of the countries, the letters of the typefaces, the first digits of card
// schemes, and the table of the gateway's answers in docs/states.md. That stands between "<!-- generated: NAME -->" and "<!-- end -->".
// make generate calls it from the root of the repository.
package main

import (
	"fmt"
	"os"
	"strings"

	"forecourt/internal/gateway"
)

// part is one generated part of a file.
type part struct{ file, name, text string }

func main() {
	if err := writeIcons("node_modules", "views/ui/icons.gen.go", "islands/icons.gen.ts"); err != nil {
		fmt.Fprintf(os.Stderr, "generate: icons: %v\n", err)
		os.Exit(1)
	}
	if err := writeCountries("internal/form/countries.gen.go"); err != nil {
		fmt.Fprintf(os.Stderr, "generate: countries: %v\n", err)
		os.Exit(1)
	}
	if err := writeLetters("internal/typeface"); err != nil {
		fmt.Fprintf(os.Stderr, "generate: letters: %v\n", err)
		os.Exit(1)
	}
	if err := writeBrands("islands/pay/card-form/brands.gen.ts"); err != nil {
		fmt.Fprintf(os.Stderr, "generate: brands: %v\n", err)
		os.Exit(1)
	}
	answers := part{"docs/states.md", "answers", gateway.AnswersTable()}
	if err := answers.write(); err != nil {
		fmt.Fprintf(os.Stderr, "generate: %s: %v\n", answers.file, err)
		os.Exit(1)
	}
}

func (p part) write() error {
	old, err := os.ReadFile(p.file)
	if err != nil {
		return err
	}
	text, err := p.replace(string(old))
	if err != nil || text == string(old) {
		return err
	}
	return os.WriteFile(p.file, []byte(text), 0o644) //nolint:gosec // documentation
}

// replace returns the file's text with this part replaced.
func (p part) replace(text string) (string, error) {
	start, end := "<!-- generated: "+p.name+" -->\n", "<!-- end -->"
	before, rest, found := strings.Cut(text, start)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", fmt.Errorf("there is no %q with an %q after it", strings.TrimSpace(start), end)
	}
	return before + start + p.text + end + after, nil
}
