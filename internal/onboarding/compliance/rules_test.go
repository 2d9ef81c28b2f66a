package compliance

import (
	"maps"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/form"
)

func TestComplete(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		required []Part
		details  Details
		want     bool
	}{
		"a licence number where a licence is asked for (COMPL-18)": {[]Part{AddressPart, LicencePart, DobPart}, Details{LicenseNo: "1234"}, true},
		"all else without it (COMPL-18)":                           {[]Part{AddressPart, LicencePart, DobPart}, Details{Street: "1 A St", Dob: "1980-01-01"}, false},
		"a date of birth where nothing else is asked (COMPL-18)":   {[]Part{DobPart}, Details{Dob: "1980-01-01"}, true},
		"one of two parts (COMPL-18)":                              {[]Part{AddressPart, DobPart}, Details{Dob: "1980-01-01"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := (Person{Required: tt.required, Details: tt.details})
			check.Equal(t, p.Complete(), tt.want, "complete")
		})
	}
}

func TestAgesAndDays(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	const notADay, notAnExpiry = "Enter the date of birth, such as 31/12/1985", "Enter the expiry date, such as 31/12/2030"
	for _, tt := range []struct {
		dob, exp string
		want     fault.Problems
	}{
		{"2008-03-01", "2026-03-01", nil},
		{"2008-03-02", "2026-02-28", fault.Problems{
			"dob": "Everybody named here has to be 18 or older", "licenseexp": "This licence has expired. Use one that is valid",
		}},
		{"2026-03-02", "2077-01-01", fault.Problems{"dob": notADay, "licenseexp": notAnExpiry}},
		{"1890-01-01", "1/2", fault.Problems{"dob": notADay, "licenseexp": notAnExpiry}},
		{"29/2/2000", "29/02/2027", fault.Problems{"licenseexp": notAnExpiry}},
		{"", "", fault.Problems{"dob": "Enter the date of birth", "licenseexp": "Enter the expiry date"}},
	} {
		d := Details{Dob: tt.dob, LicenseExp: tt.exp, LicenseNo: "12 34-ab", LicenseState: "vic"}
		required := []Part{LicencePart, DobPart}
		d.tidy(required)
		if got := d.check(required, today); !maps.Equal(got, tt.want) || d.LicenseNo != "1234AB" {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestAPostOfficeBoxIsNotAHomeAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"PO Box 12": true, "P.O. Box 12": true, "p o box 7": true, "POBOX 3": true, "GPO Box 9": true, "G.P.O. Box 9": true, "Post Office Box 1": true,
		"Postal Box 4": true, "Locked Bag 7": true, "Private Bag 20": true, "Parcel Locker 101": true,
		"12 Post Office Road": false, "7 Box Street": false, "1 Polo Boxwood Lane": false, "3 Bag End": false, "88 Boxhill Road": false,
	} {
		check.Equal(t, postBox.MatchString(address), want, "%q is a post office box", address)
	}
}

func TestWhoIsBehindABusiness(t *testing.T) {
	t.Parallel()
	contact := form.PrimaryContact{Contacts: []form.Contact{{First: "Ann", Last: "Lee", Email: "ann@example.com"}}}
	for name, tt := range map[string]struct {
		people []form.StakeHolder
		want   string
	}{
		"individuals, not companies": {[]form.StakeHolder{{Name: "Bo", Type: "Individual"}, {Name: "Lee Holdings", Type: "Company"}, {Name: "Lee Trust", Type: "Trust"}, {Name: " Cy "}}, "Bo Cy"},
		"no people":                  {nil, "Ann Lee"},
		"companies alone":            {[]form.StakeHolder{{Name: "Lee Holdings", Type: "Company"}}, "Ann Lee"},
	} {
		var got []string
		for _, asked := range behind(&form.Data{PrimaryContact: contact, StakeHolders: form.StakeHolders{People: tt.people}}) {
			got = append(got, asked.Name)
			check.Equal(t, len(asked.Required), 3, "%s: required parts are %v", name, asked.Required)
		}
		check.Equal(t, strings.Join(got, " "), tt.want, "%s", name)
	}
}

func TestTodayIsInTheZoneOfTheBusiness(t *testing.T) {
	t.Parallel()
	s := &Records{now: func() time.Time { return time.Date(2026, 3, 1, 13, 30, 0, 0, time.UTC) }}
	for zone, want := range map[string]string{"": "2026-03-02", "Australia/Sydney": "2026-03-02", "Australia/Brisbane": "2026-03-01", "Australia/Perth": "2026-03-01"} {
		check.Equal(t, s.today(zoneOf(zone)).Format(time.DateOnly), want, "%q: half past midnight in Sydney", zone)
	}
}

func TestMandate(t *testing.T) {
	t.Parallel()
	g := Signing{Mandate: Mandate{Name: " Acme  Café ", BSB: "062 - 187", Number: "4041 7293"}, Acknowledged: true}
	if problems := g.Check(); len(problems) > 0 || g.Mandate != (Mandate{"Acme Café", "062187", "40417293"}) {
		t.Errorf("COMPL-12 %v %+v", problems, g.Mandate)
	}
	if got := g.masked(); got.BSB != "•••-•87" || got.Number != "•••••293" {
		t.Errorf("masked %+v", got)
	}
}
