package form

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
