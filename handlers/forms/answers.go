package forms

import (
	"strings"

	"forecourt/internal/form"
	view "forecourt/views/forms"
)

// rows words the answer to a step.
func rows(id form.StepID, d *form.Data) []view.Row {
	switch id {
	case form.PrimaryContactStep:
		var all []view.Row
		for i, c := range d.Contacts {
			all = append(all, view.Row{Name: view.ContactName(i), Values: given(strings.TrimSpace(c.First+" "+c.Last), c.Email)})
		}
		return all
	case form.BusinessInfoStep:
		website := view.Row{Name: "Website", Values: given(d.Website)}
		if d.Website != "" {
			website.Link = form.WebsiteURL(d.Website)
		}
		return []view.Row{
			{Name: "Country", Values: given(form.CountryName(d.Country))},
			{Name: "Trading name", Values: given(d.TradingName)},
			{Name: "Legal entity name", Values: given(d.EntityName)},
			{Name: "Entity type", Values: given(d.EntityType)},
			{Name: "Nature of business", Values: given(d.NatureOfBusiness)},
			website,
		}
	case form.PaymentTypesStep:
		return []view.Row{{Name: "Payment types", Values: d.PayTypes}}
	case form.TestTypesStep:
		return []view.Row{{Name: "Services", Values: d.Services}}
	case form.StakeHoldersStep:
		return holderRows(d.People)
	case form.AllDoneApplicationStep, form.AllDoneTestAccStep:
	}
	return nil
}

func holderRows(people []form.StakeHolder) []view.Row {
	if len(people) == 0 {
		return []view.Row{{Name: "Stakeholders"}}
	}
	var all []view.Row
	for _, p := range people {
		var roles []string
		for _, role := range form.AllRoles() {
			if p.Has(role) {
				roles = append(roles, view.RoleLabel(role))
			}
		}
		all = append(all, view.Row{Name: p.Name, Values: given(p.Type, strings.Join(roles, ", "))})
	}
	return all
}

// given leaves out what was not given.
func given(values ...string) []string {
	var all []string
	for _, value := range values {
		if value != "" {
			all = append(all, value)
		}
	}
	return all
}
