package compliance

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/site/legal"
)

func TestACopyShowsTheSignerOrTheReference(t *testing.T) {
	t.Parallel()
	records := &Records{provider: legal.DefaultProvider()}
	for name, want := range map[string]string{
		"Nguyễn Phở Pty Ltd": "Nguyễn Phở Pty Ltd", "Κώστας": "Κώστας", "王小明": "□□□", "\U00020bb7野家": "□□□", "🍕 Pizza": "□ Pizza",
	} {
		account := Mandate{Name: name, BSB: "062000", Number: "12345678"}
		file, err := records.Copy(&Signature{ID: "ref-1234", Account: account.masked(), Signer: "owner@example.com", document: "{}"})
		check.Must(t, err)
		text := check.PDFText(t, string(file))
		check.Contains(t, text, want+"\n", "the copy does not show %q as %q", name, want)
		check.Equal(t, strings.Contains(text, "reference is ref-1234"), strings.Contains(want, "□"),
			"the copy of %q shows the reference:\n%s", name, text)
	}
}
