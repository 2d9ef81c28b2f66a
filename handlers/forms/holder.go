package forms

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/form"
	view "forecourt/views/forms"
	"forecourt/views/ui"
)

func holders(b *builder, s *form.StakeHolders, entity string) view.Holders {
	roles := form.Roles(entity)
	needed, people := form.Needed(entity)
	m := view.Holders{
		Full: len(s.People) >= form.MaxPeople,
		Need: view.Need{People: people, Role: needed, Roles: len(roles) > 0},
	}
	rows := slices.Clone(s.People)
	for len(rows) < people {
		rows = append(rows, form.StakeHolder{Type: form.HolderTypes()[0]})
	}
	for i, p := range rows {
		row := view.HolderRow{
			Name: b.field(i, ui.Field{Name: "name", Label: "Full name", Value: p.Name, Autocomplete: "off"}),
			Type: options(b.field(i, ui.Field{Name: "type", Label: "Type"}), form.HolderTypes(), []string{p.Type}),
		}
		row.Roles.Field = b.field(i, ui.Field{Name: "roles", Label: "Roles"})
		for _, role := range roles {
			row.Roles.Options = append(row.Roles.Options, ui.Option{Value: string(role), Label: view.RoleLabel(role), Chosen: p.Has(role)})
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

func readHolders(posted url.Values) *form.StakeHolders {
	people := make([]form.StakeHolder, min(len(posted["name"]), form.MaxPeople+1))
	for i := range people {
		people[i] = form.StakeHolder{Name: at(posted["name"], i), Type: at(posted["type"], i)}
	}
	for _, role := range form.AllRoles() {
		for _, row := range posted[string(role)] {
			if i, err := strconv.Atoi(row); err == nil && i >= 0 && i < len(people) {
				people[i].Give(role)
			}
		}
	}
	return &form.StakeHolders{People: people}
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
