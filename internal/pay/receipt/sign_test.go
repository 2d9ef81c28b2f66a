package receipt

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

var paid = Receipt{
	Business: "Panezski", ABN: "80 000 000 001", Amount: 1100, GST: 100, Currency: "AUD", TransactionID: "K3VXQ7",
	Paid: time.Date(2026, 11, 20, 19, 53, 4, 0, time.FixedZone("AEDT", 11*3600)), Method: "card", CardBrand: "visa", CardLastFour: "1111",
}

const paidText = `Forecourt receipt 1
business: Panezski
abn: 80 000 000 001
total: 11.00 AUD
gst: 1.00 AUD
paid: 2026-11-20T08:53:04Z
with: visa 1111
transaction: K3VXQ7
mode: live
`

func signer(t testing.TB, seed byte) *Signer {
	t.Helper()
	return NewSigner(bytes.Repeat([]byte{seed}, 32))
}

func TestASignedReceiptIsValid(t *testing.T) {
	t.Parallel()
	s := signer(t, 1)
	signed := s.Sign(paid)
	check.Equal(t, signed.Text, paidText, "the signed text")
	check.Equal(t, s.Sign(paid).Code(), signed.Code(), "signing the same receipt twice gave two codes")
	for name, code := range map[string]string{
		"the code": signed.Code(), "its address": "https://pay.example/receipt/verify?code=" + signed.Code(), "with blanks around it": " " + signed.Code() + "\n",
	} {
		stated, holds, err := s.Check(code)
		if err != nil || !holds || stated.Total != "11.00 AUD" || stated.Business != "Panezski" || stated.With != "visa 1111" {
			t.Errorf("%s: %+v, %t, %v", name, stated, holds, err)
		}
	}
	if _, holds, err := signer(t, 2).Check(signed.Code()); holds || err != nil {
		t.Errorf("another program's key accepts it: %t, %v", holds, err)
	}
}

func TestATamperedReceiptIsInvalid(t *testing.T) {
	t.Parallel()
	s := signer(t, 1)
	signed := s.Sign(paid)
	for _, change := range []func(*Signed){
		func(f *Signed) { f.Text = strings.Replace(f.Text, "11.00 AUD", "91.00 AUD", 1) },
		func(f *Signed) { f.Text = strings.Replace(f.Text, "Panezski", "Panezsky", 1) },
		func(f *Signed) { f.Text = strings.Replace(f.Text, "mode: live", "mode: test", 1) },
		func(f *Signed) { f.Signature = bytes.Repeat([]byte{0}, 64) },
	} {
		forged := Signed{Text: signed.Text, Signature: bytes.Clone(signed.Signature)}
		change(&forged)
		if _, holds, err := s.Check(forged.Code()); holds || err != nil {
			t.Errorf("%q is valid = %t, %v", forged.Text, holds, err)
		}
	}
	code := signed.Code()
	for i := range code {
		other := byte('A')
		if code[i] == other {
			other = 'B'
		}
		if _, holds, _ := s.Check(code[:i] + string(other) + code[i+1:]); holds {
			t.Errorf("the code is valid with another character at %d", i)
		}
		if _, holds, _ := s.Check(code[:i]); holds {
			t.Errorf("the first %d characters are valid", i)
		}
	}
}

func TestABusinessCannotSignForAnother(t *testing.T) {
	t.Parallel()
	s := signer(t, 1)
	sly := paid
	sly.Business = "Sly\nabn: 11 111 111 111\ntotal: 9999.00 AUD\u2028\u202e"
	stated, holds, err := s.Check(s.Sign(sly).Code())
	if err != nil || !holds || stated.Total != "11.00 AUD" || stated.ABN != "80 000 000 001" || strings.ContainsAny(stated.Business, "\n\u2028\u202e") {
		t.Errorf("%+v, %t, %v", stated, holds, err)
	}
}

func FuzzCheck(f *testing.F) {
	s := signer(f, 1)
	good := s.Sign(paid).Code()
	for _, seed := range []string{"", ".", "code=", good, good + ".x", good + "=", "code=" + good + "&code=" + good, strings.Repeat("A", 5000), "\x00\xff.\xff", "QQ.QQ", "%2e"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, code string) {
		stated, holds, err := s.Check(code)
		if err != nil && (!errors.Is(err, ErrUnreadable) || holds || stated != Statement{}) {
			t.Errorf("%q: %+v, %t, %v", code, stated, holds, err)
		}
		if holds && stated.text() != paidText {
			t.Errorf("%q is valid for %q", code, stated.text())
		}
	})
}

// Checking a signature needs no program of ours: openssl 3 suffices.
func TestOpenSSLChecksAReceipt(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("openssl")
	if err != nil {
		t.Log("openssl is not installed; make test-long fails without it")
		return
	}
	s := signer(t, 1)
	signed := s.Sign(paid)
	key, err := s.PublicPEM()
	check.Must(t, err)
	folder := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		check.Must(t, os.WriteFile(path, content, 0o600))
		return path
	}
	checkOne := func(text string) error {
		out, err := exec.CommandContext(t.Context(), program, "pkeyutl", "-verify", "-pubin", "-inkey", file("key.pem", key), "-rawin",
			"-in", file("receipt.txt", []byte(text)), "-sigfile", file("receipt.sig", signed.Signature)).CombinedOutput()
		t.Logf("%s", out)
		return err
	}
	if err := checkOne(signed.Text); err != nil {
		t.Error("openssl refuses the receipt:", err)
	}
	if checkOne(strings.Replace(signed.Text, "11.00", "91.00", 1)) == nil {
		t.Error("openssl accepts another amount")
	}
}

// storedCode is the code of paid as printed by the version before options.
const storedCode = "Rm9yZWNvdXJ0IHJlY2VpcHQgMQpidXNpbmVzczogUGFuZXpza2kKYWJuOiA4MCAwMDAgMDAwIDAwMQp0b3RhbDogMTEuMDAgQVVECmdzdDogMS4wMCBBVUQKcGFpZDogMjAyNi0xMS0yMFQwODo1MzowNFoKd2l0aDogdmlzYSAxMTExCnRyYW5zYWN0aW9uOiBLM1ZYUTcKbW9kZTogbGl2ZQo." +
	"f5WCccAG7sESkujO8qxM5lXKAkuRmRA2q-BJ48XBa-1Bhou6XBWP4ThhWRcf8zovjk-yic8EIz0oP2FxTfd3Bw"

func TestStoredReceiptsDoNotChange(t *testing.T) {
	t.Parallel()
	s, now := signer(t, 1), paid
	now.Lines = []Line{{Name: "Iced Latte", Qty: 1, Each: 1100, Options: "Large, Oat"}}
	for name, r := range map[string]Receipt{"unchanged": paid, "with options": now} {
		check.Equal(t, s.Sign(r).Code(), storedCode, "%s: the code", name)
	}
	stated, holds, err := s.Check(storedCode)
	if err != nil || !holds || stated.Total != "11.00 AUD" {
		t.Errorf("the stored code states %+v, valid = %v, %v", stated, holds, err)
	}
}

func TestAReceiptSignedWithAnOlderKeyIsValid(t *testing.T) {
	t.Parallel()
	older := signer(t, 1)
	signed, alone := older.Sign(paid), signer(t, 2)
	check.Equal(t, alone.Holds(signed), false, "valid without the older key")
	check.Equal(t, alone.Holds(signed, older.key.Public().(ed25519.PublicKey)), true, "valid with the stored public key")
}
