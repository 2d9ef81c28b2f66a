package compliance

import (
	"strings"
	"testing"

	"forecourt/internal/legal"
	"forecourt/internal/typeface/pdftext"
)

func TestACopyShowsTheSignerOrTheReference(t *testing.T) {
	t.Parallel()
	records := &Records{provider: legal.DefaultProvider()}
	for name, want := range map[string]string{
		"Nguyễn Phở Pty Ltd": "Nguyễn Phở Pty Ltd", "Κώστας": "Κώστας", "王小明": "□□□", "\U00020bb7野家": "□□□", "🍕 Pizza": "□ Pizza",
	} {
		account := Mandate{Name: name, BSB: "062000", Number: "12345678"}
		file, err := records.Copy(&Signature{ID: "ref-1234", Account: account.masked(), Signer: "owner@example.com", document: "{}"})
		if err != nil {
			t.Fatal(err)
		}
		text := pdftext.Read(t, string(file))
		if !strings.Contains(text, want+"\n") {
			t.Errorf("the copy does not show %q as %q:\n%s", name, want, text)
		}
		if got := strings.Contains(text, "reference is ref-1234"); got != strings.Contains(want, "□") {
			t.Errorf("the copy of %q shows the reference: %v\n%s", name, got, text)
		}
	}
}
