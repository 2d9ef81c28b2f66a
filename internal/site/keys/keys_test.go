package keys_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/site/keys"
)

// typed is an input as testdata/vectors.json has it; islands/demo/keys reads the same file.
type typed struct{ Currency, Amount, Reference, Secret string }

func (t typed) input() keys.Input {
	return keys.Input{Currency: t.Currency, Amount: t.Amount, Reference: t.Reference, Secret: secret.New(t.Secret)}
}

type vectors struct {
	Texts   []struct{ Text, SHA1, SHA256 string }
	Amounts []struct{ Typed, Fixed string }
	Keys    []struct {
		typed
		Preimage, SHA1, SHA256 string
	}
	Diagnoses []struct {
		typed
		Name, Hash, Key string
		Mistakes        []keys.Mistake
	}
}

func read(t *testing.T) (v vectors) {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	check.Must(t, err)
	if len(v.Texts) == 0 || len(v.Amounts) == 0 || len(v.Keys) == 0 || len(v.Diagnoses) == 0 {
		t.Fatal("the file lacks a kind of vector")
	}
	return v
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, got, want string
	}{
		{"a transaction key (HPS-04)", (typed{"gbp", "5", "REF", "s"}).input().Key(keys.SHA1), "3ba89485e105cec2bc0b4828816911280401e7c5"},
		{"capitals give the same key (HPS-05)", (typed{"GBP", "5", "REF", "s"}).input().Key(keys.SHA1), "3ba89485e105cec2bc0b4828816911280401e7c5"},
		{"not a number (HPS-06 KEYGEN-09)", keys.Amount("x"), "0.00"},
		{"a merchant key (KEYGEN-05)", (typed{"GBP", "5", "REF", "s"}).input().Key(keys.SHA256), "62362bf660eba9f15f7c4f09c91a878e375ca9241d690366414257998f95b043"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check.Equal(t, tt.got, tt.want, "%s", tt.name)
		})
	}
	v := read(t)
	for _, one := range v.Texts {
		if keys.Sum(keys.SHA1, one.Text) != one.SHA1 || keys.Sum(keys.SHA256, one.Text) != one.SHA256 {
			t.Errorf("KEYGEN-02 KEYGEN-03 the hashes of %q", one.Text)
		}
	}
	for _, a := range v.Amounts {
		check.Equal(t, keys.Amount(a.Typed), a.Fixed, "CONST-01 amount %q is fixed to", a.Typed)
	}
	for _, k := range v.Keys {
		in := k.input()
		if in.Preimage() != k.Preimage || in.Key(keys.SHA1) != k.SHA1 || in.Key(keys.SHA256) != k.SHA256 {
			t.Errorf("%+v: %q %s %s", k.typed, in.Preimage(), in.Key(keys.SHA1), in.Key(keys.SHA256))
		}
	}
}

func TestDiagnose(t *testing.T) {
	t.Parallel()
	for _, d := range read(t).Diagnoses {
		check.List(t, keys.Diagnose(keys.Hash(d.Hash), d.input(), d.Key), d.Mistakes, "%s (%s)", d.Name, d.Hash)
	}
}

func TestAnInputDoesNotPrintItsSecret(t *testing.T) {
	t.Parallel()
	in := typed{"GBP", "5", "REF", "hush"}.input()
	check.Lacks(t, fmt.Sprintf("%v %+v %#v", in, in, in), "hush", "printing an input shows its secret")
}
