package forms

import (
	"net/url"
	"slices"

	"forecourt/internal/form"
	view "forecourt/views/forms"
	"forecourt/views/ui"
)

func (h *Handler) business(b *builder, s *form.BusinessInfo) view.Business {
	country := ui.Choice{Field: b.field(0, ui.Field{Name: "country", Label: "Country", Autocomplete: "country", Value: s.Country, Required: true})}
	for _, c := range h.countries {
		country.Options = append(country.Options, ui.Option{Value: c.Code, Label: c.Name, Chosen: c.Code == s.Country})
	}
	if !slices.ContainsFunc(h.countries, func(c form.Country) bool { return c.Code == s.Country }) {
		country.Options = slices.Insert(country.Options, 0, ui.Option{Label: "Choose a country", Chosen: true})
	}
	return view.Business{
		Country: country,
		TradingName: b.field(0, ui.Field{
			Name: "name", Label: "Trading name", Hint: "The name that your customers know", Value: s.TradingName,
			Autocomplete: "organization", Required: true,
		}),
		EntityName: b.field(0, ui.Field{
			Name: "entityName", Label: "Legal entity name (optional)", Hint: "As registered, for example Corner Café Pty Ltd. Leave it empty if it is the trading name.", Value: s.EntityName,
		}),
		EntityType: options(b.field(0, ui.Field{Name: "entityType", Label: "Entity type", Required: true}), form.EntityTypes(), []string{s.EntityType}),
		NatureOfBusiness: b.field(0, ui.Field{
			Name: "natureOfBusiness", Label: "Nature of business (optional)", Hint: "What you sell, and to whom. If it is empty, we may have to ask before we can decide.", Value: s.NatureOfBusiness,
		}),
		Website: b.field(0, ui.Field{
			Name: "url", Label: "Website (optional)", InputMode: "url", Autocomplete: "url", Value: s.Website,
		}),
	}
}

// readBusiness reads the answer from a form post.
func readBusiness(posted url.Values) *form.BusinessInfo {
	return &form.BusinessInfo{
		Country: posted.Get("country"), TradingName: posted.Get("name"), EntityName: posted.Get("entityName"),
		EntityType: posted.Get("entityType"), NatureOfBusiness: posted.Get("natureOfBusiness"), Website: posted.Get("url"),
	}
}

// businessRows returns the answer as lines of text.
func businessRows(s form.BusinessInfo) []view.Row {
	entity := view.Row{Name: "Legal entity name", Values: given(s.EntityName)}
	if s.EntityName == "" {
		entity.Values = []string{view.SameName}
	}
	website := view.Row{Name: "Website", Values: given(s.Website)}
	if s.Website != "" {
		website.Link = form.WebsiteURL(s.Website)
	}
	return []view.Row{
		{Name: "Country", Values: given(form.CountryName(s.Country))},
		{Name: "Trading name", Values: given(s.TradingName)},
		entity,
		{Name: "Entity type", Values: given(s.EntityType)},
		{Name: "Nature of business", Values: given(s.NatureOfBusiness)},
		website,
	}
}
