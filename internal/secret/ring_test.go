package secret_test

import (
	"bytes"
	"testing"

	"forecourt/internal/secret"
)

func TestARingReadsWithAllSecretsAndWritesWithTheNewest(t *testing.T) {
	t.Parallel()
	const one, two = "the first secret, of 32 bytes or so", "the second secret, of 32 bytes or so"
	before, both, after := secret.NewRing(one), secret.NewRing(two, one), secret.NewRing(two)
	box := func(r secret.Ring) *secret.Box {
		b, err := r.Box("tests")
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	sealed := box(before).Seal([]byte("kept"), "here")
	if text, err := box(both).Open(sealed, "here"); err != nil || string(text) != "kept" {
		t.Errorf("a text sealed with the older secret: %q, %v", text, err)
	}
	if _, err := box(after).Open(sealed, "here"); err == nil {
		t.Error("the text opens without its key")
	}
	again, old, err := box(both).Renew(sealed, "here")
	if err != nil || !old {
		t.Fatalf("renew: %t, %v", old, err)
	}
	if text, err := box(after).Open(again, "here"); err != nil || string(text) != "kept" {
		t.Errorf("the resealed text: %q, %v", text, err)
	}
	if _, old, err := box(both).Renew(again, "here"); old || err != nil {
		t.Errorf("the text was resealed twice: %v", err)
	}
	if _, _, err := box(both).Renew(sealed, "there"); err == nil {
		t.Error("the text was resealed for another place")
	}
	mac := before.Keys("tests").MAC([]byte("a"), []byte("b"))
	if !both.Keys("tests").Signed(mac, []byte("ab")) || after.Keys("tests").Signed(mac, []byte("ab")) || both.Keys("others").Signed(mac, []byte("ab")) {
		t.Error("a MAC is valid with the wrong keys")
	}
	if !bytes.Equal(both.Keys("tests").MAC([]byte("x")), after.Keys("tests").MAC([]byte("x"))) {
		t.Error("a new MAC uses the older key")
	}
}
