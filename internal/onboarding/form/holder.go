package form

import (
	"slices"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// StakeHolders are the people behind the business.
type StakeHolders struct {
	People []StakeHolder `json:"stakeHolders"`
}

// StakeHolder is a person or company with the roles it has.
type StakeHolder struct {
	Name string `json:"name"`
	Type string `json:"type"`
	RoleFlags
}

// Check depends on the type of entity (FORM-50): everyone listed needs a name and, if the type has roles, one of them. A company
// needs a director, a trust a trustee, a partnership two people; the others may list nobody.
func (s *StakeHolders) Check(entity string) fault.Problems {
	f := findings{}
	roles := Roles(entity)
	needed, least := Needed(entity)
	named, found := 0, needed == ""
	for i, p := range s.People {
		if p.empty() {
			continue
		}
		if p.Name == "" {
			f.add("name", i, "Enter a name")
		} else {
			named++
		}
		if len(roles) > 0 && !slices.ContainsFunc(roles, p.Has) {
			f.add("roles", i, "Choose at least one role")
		}
		if p.Type != "" && !slices.Contains(HolderTypes(), p.Type) {
			f.add("type", i, notOnList)
		}
		found = found || p.Has(needed)
	}
	switch {
	case len(f) > 0: // report one problem at a time
	case named == 0 && least > 0:
		f.add("name", 0, "List at least one stakeholder by name")
	case named < least:
		f.add("name", len(s.People), "A partnership has at least two partners")
	case !found && needed == Director:
		f.add("roles", 0, "List at least one director")
	case !found:
		f.add("roles", 0, "List at least one trustee")
	}
	s.kept(f)
	return fault.Problems(f)
}

// empty reports whether nobody filled in a row; the kind of stakeholder is preselected and does not count.
func (h *StakeHolder) empty() bool {
	return h.Name == "" && h.RoleFlags == RoleFlags{}
}

func (s *StakeHolders) kept(f findings) {
	for i, p := range s.People {
		f.text("name", i, p.Name, maxBusiness, "Use at most 200 characters for the name")
		f.text("type", i, p.Type, maxName, notOnList)
	}
	if len(s.People) > MaxPeople {
		f.add("stakeHolders", 0, "List at most 50 stakeholders")
	}
}

func (s *StakeHolders) tidy() {
	s.People = slices.Clone(s.People)
	for i := range s.People {
		s.People[i].Name = typed.Line(s.People[i].Name)
	}
}

func (s *StakeHolders) drop() {
	s.People = slices.DeleteFunc(slices.Clone(s.People), func(p StakeHolder) bool { return p.empty() })
}

func (s *StakeHolders) apply(d *Data) { d.StakeHolders = *s }

// The types of legal entity that the rules name.
const (
	PtyLtd      = "Pty Ltd"
	Trust       = "Trust"
	Partnership = "Partnership"
)

// EntityTypes lists the types of legal entity (FORM-36).
func EntityTypes() []string {
	return []string{
		PtyLtd, Trust, Partnership, "Sole Proprietor", "Charity", "Public Company", "Not For Profit", "Other",
	}
}

// HolderTypes lists what a stakeholder can be.
func HolderTypes() []string { return []string{"Individual", "Company", "Trust"} }

// Role is what a stakeholder is to the business.
type Role string

// The roles (FORM-44, FORM-46).
const (
	Director    Role = "director"
	Shareholder Role = "shareholder"
	Trustee     Role = "trustee"
	Beneficiary Role = "beneficiary"
	Settlor     Role = "settlor"
	Appointor   Role = "appointor"
)

// AllRoles lists every role.
func AllRoles() []Role {
	return []Role{Director, Shareholder, Trustee, Beneficiary, Settlor, Appointor}
}

// Roles lists the roles that a type of entity has; most have none.
func Roles(entity string) []Role {
	switch entity {
	case PtyLtd:
		return []Role{Director, Shareholder}
	case Trust:
		return []Role{Trustee, Beneficiary, Settlor, Appointor}
	default:
		return nil
	}
}

// Needed returns the role that at least one person must have, "" for none, and the least number of people.
func Needed(entity string) (role Role, people int) {
	switch entity {
	case PtyLtd:
		return Director, 1
	case Trust:
		return Trustee, 1
	case Partnership:
		return "", 2
	default:
		return "", 0
	}
}

// RoleFlags says which roles a stakeholder has.
type RoleFlags struct {
	Director    bool `json:"director,omitempty"`
	Shareholder bool `json:"shareholder,omitempty"`
	Trustee     bool `json:"trustee,omitempty"`
	Beneficiary bool `json:"beneficiary,omitempty"`
	Settlor     bool `json:"settlor,omitempty"`
	Appointor   bool `json:"appointor,omitempty"`
}

// Give sets a role; it ignores an unknown one.
func (f *RoleFlags) Give(role Role) {
	if flag := f.flag(role); flag != nil {
		*flag = true
	}
}

// Has reports whether a role is set.
func (f *RoleFlags) Has(role Role) bool {
	flag := f.flag(role)
	return flag != nil && *flag
}

// keep leaves only the roles given.
func (f *RoleFlags) keep(roles []Role) {
	var kept RoleFlags
	for _, role := range roles {
		if f.Has(role) {
			kept.Give(role)
		}
	}
	*f = kept
}

func (f *RoleFlags) flag(role Role) *bool {
	switch role {
	case Director:
		return &f.Director
	case Shareholder:
		return &f.Shareholder
	case Trustee:
		return &f.Trustee
	case Beneficiary:
		return &f.Beneficiary
	case Settlor:
		return &f.Settlor
	case Appointor:
		return &f.Appointor
	default:
		return nil
	}
}
