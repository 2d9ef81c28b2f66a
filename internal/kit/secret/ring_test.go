package secret_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
)

func TestABoxRenewsWhatAnOlderKeySealed(t *testing.T) {
	t.Parallel()
	older, newer := secret.Derive("the first", "tests"), secret.Derive("the second", "tests")
	box := secret.NewBox
	sealed := box(older).Seal([]byte("kept"), "here")
	again, old, err := box(newer, older).Renew(sealed, "here")
	if err != nil || !old {
		t.Fatalf("renew: %t, %v", old, err)
	}
	if text, err := box(newer).Open(again, "here"); err != nil || string(text) != "kept" {
		t.Errorf("the resealed text: %q, %v", text, err)
	}
	if _, old, err := box(newer, older).Renew(again, "here"); old || err != nil {
		t.Errorf("the text was resealed twice: %v", err)
	}
	_, _, err = box(newer, older).Renew(sealed, "there")
	check.Error(t, err, "the text was resealed for another place")
}

func TestAKeySignsForOnePurpose(t *testing.T) {
	t.Parallel()
	ring := secret.NewRing("the first")
	mac := ring.Key("tests").MAC([]byte("a"), []byte("b"))
	if !ring.Key("tests").Signed(mac, []byte("ab")) || ring.Key("others").Signed(mac, []byte("ab")) || secret.NewRing("x").Key("tests").Signed(mac, []byte("ab")) {
		t.Error("a MAC is valid with the wrong keys")
	}
	if secret.Fingerprint("the first") == secret.Fingerprint("the second") || len(secret.Fingerprint("the first")) != 16 {
		t.Error("a fingerprint does not tell secrets apart")
	}
}
