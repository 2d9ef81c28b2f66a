package secret_test

import (
	"bytes"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
)

func TestSealedTextOpensOnlyInItsPlace(t *testing.T) {
	t.Parallel()
	box, other := secret.NewBox(bytes.Repeat([]byte{1}, 32)), secret.NewBox(bytes.Repeat([]byte{2}, 32))
	sealed := box.Seal([]byte("licence 1234"), "ann /form/1")
	if bytes.Contains(sealed, []byte("1234")) || bytes.Equal(sealed, box.Seal([]byte("licence 1234"), "ann /form/1")) {
		t.Error("the sealed text can be read or recognised")
	}
	if text, err := box.Open(sealed, "ann /form/1"); err != nil || string(text) != "licence 1234" {
		t.Errorf("Open = %q, %v", text, err)
	}
	broken := bytes.Clone(sealed)
	broken[len(broken)-1] ^= 1
	for name, open := range map[string]func() ([]byte, error){
		"another place": func() ([]byte, error) { return box.Open(sealed, "bob /form/1") },
		"another key":   func() ([]byte, error) { return other.Open(sealed, "ann /form/1") },
		"a changed bit": func() ([]byte, error) { return box.Open(broken, "ann /form/1") },
		"nothing":       func() ([]byte, error) { return box.Open(nil, "ann /form/1") },
	} {
		text, err := open()
		check.Error(t, err, "with %s, Open = %q", name, text)
	}
}
