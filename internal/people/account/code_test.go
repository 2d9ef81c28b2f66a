package account

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/hotp"

	"forecourt/internal/kit/check"
)

func TestACodeIsValidOnceWithinOneStepOfItsTime(t *testing.T) {
	t.Parallel()
	key, err := appKey("Forecourt", "ann@example.com", []byte("12345678901234567890"))
	check.Must(t, err)
	at := time.Unix(1111111109, 0) // an RFC 6238 test vector; its eight-digit code is 07081804
	const now = 1111111109 / 30
	check.Equal(t, matchStep(key, "081804", 0, at), now, "the RFC's code belongs to step")
	for _, tt := range []struct {
		name            string
		step, last, got int64
	}{
		{"this step's", now, 0, now},
		{"the step before", now - 1, 0, now - 1},
		{"the step after", now + 1, 0, now + 1},
		{"two steps before", now - 2, 0, 0},
		{"two steps after", now + 2, 0, 0},
		{"the last used code", now, now, 0},
		{"a code older than the last used one", now - 1, now, 0},
		{"the code after the last used one", now + 1, now, now + 1},
	} {
		code, err := hotp.GenerateCode(key.Secret(), uint64(tt.step))
		check.Must(t, err)
		check.Equal(t, matchStep(key, code, tt.last, at), tt.got, "%s: step", tt.name)
	}
	for _, code := range []string{"", "000000", "81804", "0081804", "٠٨١٨٠٤", "081804081804"} {
		check.Equal(t, matchStep(key, code, 0, at), 0, "%q was accepted for step", code)
	}
}

func TestRecoveryCodesAreReadHoweverTheyAreTyped(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	codes, hashes := newRecovery(id)
	if len(codes) != 10 || len(hashes) != 10 {
		t.Fatalf("%d codes, %d hashes", len(codes), len(hashes))
	}
	seen := map[string]bool{}
	for i, code := range codes {
		text := code.Reveal()
		if len(text) != 30 || seen[text] {
			t.Errorf("code %d is %q", i, text)
		}
		seen[text] = true
		if got := bare(code); len(got) != 26 || string(hashRecovery(id, got)) != string(hashes[i]) {
			t.Errorf("%q is read as %q", text, got)
		}
		if string(hashRecovery(uuid.New(), bare(code))) == string(hashes[i]) {
			t.Error("another account has the same hash")
		}
	}
}
