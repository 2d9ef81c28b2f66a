package form_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/onboarding/form"
)

func TestTheStepsOfEachForm(t *testing.T) {
	t.Parallel()
	t.Run("each form has its steps (FORM-07 FORM-08 FORM-10 FORM-12 ROUTE-16)", func(t *testing.T) {
		for kind, want := range map[form.Kind]string{
			form.Application: "primaryContact businessInfo paymentTypes stakeHolders allDoneApplication",
			form.WPTest:      "businessInfo allDoneTestAcc",
			form.DDTest:      "businessInfo testTypes allDoneTestAcc",
			form.TestAccount: "businessInfo testTypes allDoneTestAcc",
			"zzz":            "",
		} {
			var got []string
			for _, id := range kind.Steps() {
				got = append(got, string(id))
			}
			check.Equal(t, strings.Join(got, " "), want, "%s", kind)
		}
	})
	for text, want := range map[string]bool{"0": true, "4": true, "5": false, "-1": false, "+1": false, "01": false, "x": false, "": false, "٣": false} {
		_, ok := form.Application.Number(text)
		check.Equal(t, ok, want, "FORM-20 step %q exists", text)
	}
}

func TestCountries(t *testing.T) {
	t.Parallel()
	list := form.Countries()
	t.Run("the 249 countries of ISO 3166-1 are listed (FORM-32)", func(t *testing.T) {
		check.Equal(t, len(list), 249, "countries, ISO 3166-1 has 249")
	})
	t.Run("Australia and the United Kingdom come first (FORM-33)", func(t *testing.T) {
		if list[0] != (form.Country{Code: "AU", Name: "Australia"}) || list[1] != (form.Country{Code: "GB", Name: "United Kingdom"}) {
			t.Errorf("the first two are %v", list[:2])
		}
	})
	seen := map[string]bool{}
	for i, c := range list {
		if len(c.Code) != 2 || c.Name == "" || seen[c.Code] || seen[c.Name] {
			t.Errorf("%d is %+v", i, c)
		}
		seen[c.Code], seen[c.Name] = true, true
	}
	for code, want := range map[string]bool{
		"AX": true, "TW": true, "SS": true, "CW": true, "UM": true,
		"XK": false, "EU": false, "UN": false, "AN": false, "YU": false, "IC": false, "UK": false, "au": false, "A": false, "": false, "AUS": false, "12": false,
	} {
		check.Equal(t, form.IsCountry(code), want, "%q is a country: %v", code, !want)
	}
	for code, want := range map[string]string{"MK": "North Macedonia", "TR": "Türkiye", "SZ": "Eswatini", "DE": "Germany", "XK": ""} {
		check.Equal(t, form.CountryName(code), want, "%s", code)
	}
}

func holder(name string, roles ...form.Role) form.StakeHolder {
	h := form.StakeHolder{Name: name, Type: "Individual"}
	for _, role := range roles {
		h.Give(role)
	}
	return h
}

func TestStepProblems(t *testing.T) {
	t.Parallel()
	contact := func(contacts ...form.Contact) form.Step { return &form.PrimaryContact{Contacts: contacts} }
	business := func(change func(*form.BusinessInfo)) form.Step {
		b := &form.BusinessInfo{Country: "AU", TradingName: "Café", EntityType: form.PtyLtd}
		change(b)
		return b
	}
	people := func(people ...form.StakeHolder) form.Step { return &form.StakeHolders{People: people} }
	ann := form.Contact{First: "A", Last: "B", Email: "a@b.co"}
	long := strings.Repeat("ü", 101)
	for _, tt := range []struct {
		name   string
		step   form.Step
		entity string
		want   string // "field row code", in order
	}{
		{"one letter is enough (FORM-24 FORM-25 FORM-26)", contact(ann), "", ""},
		{"no contact", contact(), "", "first 0 missing"},
		{"all empty (FORM-24 FORM-25 FORM-26)", contact(form.Contact{}), "", "first 0 missing, last 0 missing, email 0 missing"},
		{"blanks count as empty", contact(form.Contact{First: " ", Last: "\t", Email: " "}), "", "first 0 missing, last 0 missing, email 0 missing"},
		{"an address without a top-level domain (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a@b"}), "", "email 0 bad"},
		{"an address with blanks (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a b@c.co"}), "", "email 0 bad"},
		{"another address in brackets (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a1<target@x.co>"}), "", "email 0 bad"},
		{"two at signs (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a@b@c.co"}), "", "email 0 bad"},
		{"dots in a row (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a@b..co"}), "", "email 0 bad"},
		{"only the first contact must be complete (FORM-27)", contact(ann, form.Contact{First: "C"}), "", ""},
		{"another contact's address", contact(ann, form.Contact{Email: "x"}), "", "email 1 bad"},
		{"too long", contact(form.Contact{First: long, Last: "B", Email: "a@b.co"}), "", "first 0 too long"},
		{"not text", contact(form.Contact{First: "A\x00", Last: "B\xff", Email: "a@b.co"}), "", "first 0 unreadable, last 0 unreadable"},
		{"a card number", contact(form.Contact{First: "Ann", Last: "4111|1111|1111|1111", Email: "a@b.co"}), "", "last 0 unreadable"},
		{"too many contacts", contact(slices.Repeat([]form.Contact{ann}, 11)...), "", "contacts 0 too many"},
		{"the entity's name is optional (FORM-30)", business(func(*form.BusinessInfo) {}), "", ""},
		{"no country (FORM-28)", business(func(b *form.BusinessInfo) { b.Country = "" }), "", "country 0 missing"},
		{"no such country", business(func(b *form.BusinessInfo) { b.Country = "XX" }), "", "country 0 not on the list"},
		{"no trading name (FORM-29)", business(func(b *form.BusinessInfo) { b.TradingName = " " }), "", "name 0 missing"},
		{"no such entity type", business(func(b *form.BusinessInfo) { b.EntityType = "Club" }), "", "entityType 0 not on the list"},
		{"a website (FORM-31)", business(func(b *form.BusinessInfo) { b.Website = "www.example.com/menu" }), "", ""},
		{"a script instead of a website", business(func(b *form.BusinessInfo) { b.Website = "javascript:alert(1)" }), "", "url 0 not an address"},
		{"another scheme than HTTP", business(func(b *form.BusinessInfo) { b.Website = "ftp://example.com" }), "", "url 0 not an address"},
		{"several lines", business(func(b *form.BusinessInfo) { b.NatureOfBusiness = "Coffee\r\nCake" }), "", ""},
		{"no service (FORM-37)", &form.TestTypes{}, "", "services 0 nothing chosen"},
		{"an unknown service (FORM-37)", &form.TestTypes{Services: []string{"Gold"}}, "", "services 0 nothing chosen"},
		{"one service (FORM-37)", &form.TestTypes{Services: []string{"Direct Debit"}}, "", ""},
		{"no payment type (FORM-39)", &form.PaymentTypes{}, "", "paytypes 0 nothing chosen"},
		{"one payment type (FORM-39)", &form.PaymentTypes{PayTypes: []string{"In person payments"}}, "", ""},
		{"a company without people (FORM-50)", people(), form.PtyLtd, "name 0 nobody"},
		{"empty rows do not count as people (FORM-50)", people(form.StakeHolder{Type: "Individual"}), form.PtyLtd, "name 0 nobody"},
		{"a director (FORM-50)", people(holder("Ann", form.Director)), form.PtyLtd, ""},
		{"no director (FORM-50)", people(holder("Ann", form.Shareholder)), form.PtyLtd, "roles 0 no director"},
		{"no role (FORM-50)", people(holder("Ann", form.Director), holder("Bob")), form.PtyLtd, "roles 1 no role"},
		{"a role of another type (FORM-50)", people(holder("Ann", form.Trustee)), form.PtyLtd, "roles 0 no role"},
		{"a role without a name", people(holder("", form.Director)), form.PtyLtd, "name 0 missing"},
		{"a trust needs a trustee (FORM-50)", people(holder("Ann", form.Settlor)), form.Trust, "roles 0 no trustee"},
		{"a trustee (FORM-50)", people(holder("Ann", form.Trustee, form.Settlor)), form.Trust, ""},
		{"one partner (FORM-50)", people(holder("Ann")), form.Partnership, "name 1 one partner"},
		{"two partners (FORM-50)", people(holder("Ann"), holder("Bob")), form.Partnership, ""},
		{"a charity without people (FORM-50)", people(), "Charity", ""},
		{"too many people", people(slices.Repeat([]form.StakeHolder{holder("Ann", form.Director)}, 51)...), form.PtyLtd, "stakeHolders 0 too many"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range tt.step.Check(tt.entity) {
				got = append(got, fmt.Sprintf("%s %d %s", p.Field, p.Row, p.Code))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestEntityTypesAndRoles(t *testing.T) {
	t.Parallel()
	types := "Pty Ltd|Trust|Partnership|Sole Proprietor|Charity|Public Company|Not For Profit|Other"
	t.Run("there are eight entity types (FORM-36)", func(t *testing.T) {
		check.Equal(t, strings.Join(form.EntityTypes(), "|"), types, "form.EntityTypes")
	})
	t.Run("each entity type has its roles (FORM-44 FORM-46 FORM-48 FORM-49)", func(t *testing.T) {
		for entity, want := range map[string]string{
			"Pty Ltd": "[director shareholder]", "Trust": "[trustee beneficiary settlor appointor]", "Partnership": "[]", "Charity": "[]", "Other": "[]",
		} {
			check.Equal(t, fmt.Sprint(form.Roles(entity)), want, "%s", entity)
		}
	})
}
