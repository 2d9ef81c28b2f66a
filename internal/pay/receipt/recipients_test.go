package receipt

import (
	"fmt"
	"testing"

	"forecourt/db"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/check"
)

func TestRecipients(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, merchant, customer, typed string
		want                            []Recipient
	}{
		{"three people (RCPT-01 RCPT-02 RCPT-03)", "shop@x.au", "ann@x.au", "bob@x.au",
			[]Recipient{{Merchant, "shop@x.au"}, {Customer, "ann@x.au"}, {Typed, "bob@x.au"}}},
		{"equal addresses get one receipt (RCPT-03)", "shop@x.au", "ann@x.au", "ann@x.au", []Recipient{{Merchant, "shop@x.au"}, {Customer, "ann@x.au"}}},
		{"whatever their case (RCPT-03)", "shop@x.au", "Ann@x.au", "ann@X.au", []Recipient{{Merchant, "shop@x.au"}, {Customer, "Ann@x.au"}}},
		{"without a consumer's address the typed one is the customer's (RCPT-02)", "shop@x.au", "", "ann@x.au", []Recipient{{Merchant, "shop@x.au"}, {Customer, "ann@x.au"}}},
		{"no typed address", "shop@x.au", "", "", []Recipient{{Merchant, "shop@x.au"}}},
		{"a business without an address", "", "ann@x.au", "", []Recipient{{Customer, "ann@x.au"}}},
		{"a business that pays itself", "shop@x.au", "shop@x.au", "SHOP@x.au", []Recipient{{Merchant, "shop@x.au"}}},
		{"no address at all", "", "", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, fmt.Sprint(Recipients(tt.merchant, db.Payer{Consumer: tt.customer, Typed: tt.typed})), fmt.Sprint(tt.want), "fmt.Sprint")
		})
	}
}

// What a payer typed says best where letters go; an address from the receipt's page counts only if there is no other.
func TestMailbox(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]db.Payer{
		"typed@x.au": {Typed: "typed@x.au", Consumer: "gateway@x.au", Asked: "asked@x.au"}, "": {},
		"gateway@x.au": {Consumer: "gateway@x.au", Asked: "asked@x.au"},
		"asked@x.au":   {Asked: "asked@x.au"},
	} {
		check.Equal(t, Mailbox(p), want, "%+v", p)
	}
}
func TestMask(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"ann@example.com": "a•••@e•••.com", "é@b.co.uk": "é•••@b•••.uk", "x@localhost": "x•••@l•••localhost", "": "•••@•••",
	} {
		check.Equal(t, Mask(address), want, "%q is shown", address)
	}
}

func TestABN(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"80000000001": "80 000 000 001", "51 824 753 556": "51 824 753 556", "": "", " ": "",
		"80000000002": "refused", "5182475355": "refused", "518247535566": "refused", "51-824-753-556": "51 824 753 556", "５１824753556": "51 824 753 556", "ABN 51.824.753.556": "51 824 753 556",
		"5182475355O": "refused",
	} {
		got, ok := brand.FormatABN(text)
		if !ok {
			got = "refused"
		}
		check.Equal(t, got, want, "%q", text)
	}
}
