package form_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fault"
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
	const unreadable = "This came in a form that cannot be read. Please type it again"
	for _, tt := range []struct {
		name   string
		step   form.Step
		entity string
		want   fault.Problems
	}{
		{"one letter is enough (FORM-24 FORM-25 FORM-26)", contact(ann), "", nil},
		{"no contact", contact(), "", fault.Problems{"first": "Enter a first name"}},
		{"all empty (FORM-24 FORM-25 FORM-26)", contact(form.Contact{}), "", fault.Problems{"first": "Enter a first name", "last": "Enter a last name", "email": "Enter an email address"}},
		{"an address without a top-level domain (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a@b"}), "", fault.Problems{"email": "Enter an email address like name@example.com"}},
		{"an address with blanks (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a b@c.co"}), "", fault.Problems{"email": "Enter an email address like name@example.com"}},
		{"another address in brackets (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a1<target@x.co>"}), "", fault.Problems{"email": "Enter an email address like name@example.com"}},
		{"two at signs (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a@b@c.co"}), "", fault.Problems{"email": "Enter an email address like name@example.com"}},
		{"dots in a row (FORM-26)", contact(form.Contact{First: "A", Last: "B", Email: "a@b..co"}), "", fault.Problems{"email": "Enter an email address like name@example.com"}},
		{"only the first contact must be complete (FORM-27)", contact(ann, form.Contact{First: "C"}), "", nil},
		{"another contact's address", contact(ann, form.Contact{Email: "x"}), "", fault.Problems{"email-2": "Enter an email address like name@example.com"}},
		{"too long", contact(form.Contact{First: long, Last: "B", Email: "a@b.co"}), "", fault.Problems{"first": "Use at most 100 characters for the first name"}},
		{"not text", contact(form.Contact{First: "A\xff", Last: "B\xff", Email: "a@b.co"}), "", fault.Problems{"first": unreadable, "last": unreadable}},
		{"a card number", contact(form.Contact{First: "Ann", Last: "4111|1111|1111|1111", Email: "a@b.co"}), "", fault.Problems{"last": "This looks like a card number. Leave it out."}},
		{"too many contacts", contact(slices.Repeat([]form.Contact{ann}, 11)...), "", fault.Problems{"contacts": "List at most 10 contacts"}},
		{"the entity's name is optional (FORM-30)", business(func(*form.BusinessInfo) {}), "", nil},
		{"no country (FORM-28)", business(func(b *form.BusinessInfo) { b.Country = "" }), "", fault.Problems{"country": "Choose a country"}},
		{"no such country", business(func(b *form.BusinessInfo) { b.Country = "XX" }), "", fault.Problems{"country": "Choose one from the list"}},
		{"no trading name (FORM-29)", business(func(b *form.BusinessInfo) { b.TradingName = "" }), "",
			fault.Problems{"name": "Enter the trading name"}},
		{"no such entity type", business(func(b *form.BusinessInfo) { b.EntityType = "Club" }), "", fault.Problems{"entityType": "Choose one from the list"}},
		{"a website (FORM-31)", business(func(b *form.BusinessInfo) { b.Website = "www.example.com/menu" }), "", nil},
		{"a script instead of a website", business(func(b *form.BusinessInfo) { b.Website = "javascript:alert(1)" }), "", fault.Problems{"url": "Enter a website like www.example.com"}},
		{"another scheme than HTTP", business(func(b *form.BusinessInfo) { b.Website = "ftp://example.com" }), "", fault.Problems{"url": "Enter a website like www.example.com"}},
		{"several lines", business(func(b *form.BusinessInfo) { b.NatureOfBusiness = "Coffee\r\nCake" }), "", nil},
		{"no service (FORM-37)", &form.TestTypes{}, "", fault.Problems{"services": "Choose at least one service"}},
		{"an unknown service (FORM-37)", &form.TestTypes{Services: []string{"Gold"}}, "", fault.Problems{"services": "Choose at least one service"}},
		{"one service (FORM-37)", &form.TestTypes{Services: []string{"Direct Debit"}}, "", nil},
		{"no payment type (FORM-39)", &form.PaymentTypes{}, "", fault.Problems{"paytypes": "Choose at least one payment type"}},
		{"one payment type (FORM-39)", &form.PaymentTypes{PayTypes: []string{"In person payments"}}, "", nil},
		{"a company without people (FORM-50)", people(), form.PtyLtd, fault.Problems{"name": "List at least one stakeholder by name"}},
		{"empty rows do not count as people (FORM-50)", people(form.StakeHolder{Type: "Individual"}), form.PtyLtd, fault.Problems{"name": "List at least one stakeholder by name"}},
		{"a director (FORM-50)", people(holder("Ann", form.Director)), form.PtyLtd, nil},
		{"no director (FORM-50)", people(holder("Ann", form.Shareholder)), form.PtyLtd, fault.Problems{"roles": "List at least one director"}},
		{"no role (FORM-50)", people(holder("Ann", form.Director), holder("Bob")), form.PtyLtd, fault.Problems{"roles-2": "Choose at least one role"}},
		{"a role of another type (FORM-50)", people(holder("Ann", form.Trustee)), form.PtyLtd, fault.Problems{"roles": "Choose at least one role"}},
		{"a role without a name", people(holder("", form.Director)), form.PtyLtd, fault.Problems{"name": "Enter a name"}},
		{"a trust needs a trustee (FORM-50)", people(holder("Ann", form.Settlor)), form.Trust, fault.Problems{"roles": "List at least one trustee"}},
		{"a trustee (FORM-50)", people(holder("Ann", form.Trustee, form.Settlor)), form.Trust, nil},
		{"one partner (FORM-50)", people(holder("Ann")), form.Partnership, fault.Problems{"name-2": "A partnership has at least two partners"}},
		{"two partners (FORM-50)", people(holder("Ann"), holder("Bob")), form.Partnership, nil},
		{"a charity without people (FORM-50)", people(), "Charity", nil},
		{"too many people", people(slices.Repeat([]form.StakeHolder{holder("Ann", form.Director)}, 51)...), form.PtyLtd, fault.Problems{"stakeHolders": "List at most 50 stakeholders"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.step.Check(tt.entity); !maps.Equal(got, tt.want) {
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
			"Pty Ltd": "[director shareholder]", "Trust": "[trustee beneficiary settlor appointor]", "Partnership": "[]",
			"Sole Proprietor": "[]", "Charity": "[]", "Public Company": "[]", "Not For Profit": "[]", "Other": "[]",
		} {
			check.Equal(t, fmt.Sprint(form.Roles(entity)), want, "%s", entity)
		}
	})
}

func TestALineBreakCountsOnce(t *testing.T) {
	t.Parallel()
	thousand := strings.Repeat(strings.Repeat("a", 99)+"\r\n", 10)
	f := form.Form{Kind: form.Application}
	check.NoError(t, f.Keep(&form.BusinessInfo{NatureOfBusiness: thousand[:len(thousand)-2] + "é"}), "1,000 characters")
	check.Error(t, f.Keep(&form.BusinessInfo{NatureOfBusiness: thousand + "éé"}), "1,002 characters")
}
