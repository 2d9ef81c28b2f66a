package desk

import (
	"cmp"
	"strconv"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/shop"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Team is the page of the people who work for a business.
type Team struct {
	Frame   layout.Desk
	URL     string
	Done    string // what was just done; empty for nothing
	Members []Member
	Invited []Invited
	Form    Invite
	// AccessURL is the page that says when staff looked.
	AccessURL string
}

// Invited is an invitation that nobody has accepted yet.
type Invited struct {
	Email, Role, Until string
	May                bool // the reader may withdraw it
}

// Invite is the form that invites somebody.
type Invite struct {
	Email  ui.Field
	Role   ui.Choice
	Notice string // a problem that belongs to no field
}

// RightRow is a line of the table of what each role may do: a mark for each of shop.Roles.
type RightRow struct {
	Text  string
	Marks []bool
}

// TeamOf returns the page as a member with that role and id sees it.
func TeamOf(role shop.Role, me uuid.UUID, members []shop.Member, invited []shop.Invited, zone *time.Location, url string) Team {
	m := Team{URL: url}
	for _, one := range members {
		shown := MemberOf(role, me, one, zone)
		if one.ID == me || role.MayManage(one.Role) {
			shown.URL = url + "/" + one.ID.String()
		}
		m.Members = append(m.Members, shown)
	}
	for _, one := range invited {
		m.Invited = append(m.Invited, Invited{one.Email, RoleName(one.Role), clock.Day(one.Until, zone), role.MayManage(one.Role)})
	}
	return m
}

// InviteFields returns the form that a role may fill in. An invitation works for worksFor.
func InviteFields(by shop.Role, email string, chosen shop.Role, worksFor time.Duration) Invite {
	return Invite{
		Email: ui.Field{
			ID: "email", Name: "email", Label: "Email", Type: "email", Autocomplete: "off", Value: email,
			Hint: "The invitation works once, for " + clock.Spelled(worksFor) + ", and only for this address.",
		},
		Role: roleChoice(by, chosen),
	}
}

// roleChoice offers the roles that somebody may give.
func roleChoice(by, chosen shop.Role) ui.Choice {
	c := ui.Choice{Field: ui.Field{ID: "role", Name: "role", Label: "Role"}}
	for _, role := range shop.Roles() {
		if by.MayManage(role) {
			c.Options = append(c.Options, ui.Option{Value: string(role), Label: RoleName(role), Hint: roleHints[role], Chosen: role == chosen})
		}
	}
	return c
}

// rightRows returns the table of what each role may do, from shop.Role.May.
func rightRows() (rows []RightRow) {
	for _, right := range shop.Rights() {
		row := RightRow{Text: rightWords[right]}
		for _, role := range shop.Roles() {
			row.Marks = append(row.Marks, role.May(right))
		}
		rows = append(rows, row)
	}
	return rows
}

var roleHints = map[shop.Role]string{
	shop.Owner: "Everything, this page included", shop.Manager: "Runs the business from day to day",
	shop.Floor:  "Works in the kitchen or at the tables",
	shop.Viewer: "Can look, but change nothing",
}

var rightWords = map[shop.Right]string{
	shop.Look:    "See the desk, orders and payments",
	shop.Kitchen: "Run the kitchen screen and mark items sold out",
	shop.Refund:  "Make refunds, up to the limit of the role",
	shop.Edit:    "Change the menu, tables and business details; make pay links",
	shop.Books:   "Close the day, and download payments and statements",
	shop.Hire:    "Invite, change and remove floor staff and viewers; connect kitchen screens",
	shop.Own:     "Change everybody’s role, sign agreements, go live",
}

// What is wrong with an invitation.
const (
	InviteUnproven = "We verify every owner’s identity. Invite this person as a manager; then choose " +
		"“Change” beside the name to make them an owner."
	NoEmail     = "Enter a full email address, such as sam@example.com"
	OnTeam      = "This person is on the team already. Change the role in the list above."
	VerifyFirst = "Confirm your own email address first: open the link that we emailed to you, or ask for another on your account page."
)

// TooManyInvites says that the day's invitations are used up; in so many hours the next may be sent.
func TooManyInvites(most, hours int) string {
	return "You can send " + strconv.Itoa(most) + " invitations a day. Try again in " + ui.Count(hours, "hour") + "."
}

// LastOwner says why the last owner cannot leave.
const LastOwner = "A business needs an owner. Make somebody else an owner first, or transfer ownership."

// TeamDone returns the text for what was just done, "" for nothing.
func TeamDone(what, email string) string {
	return map[string]string{
		"invited": "The invitation is on its way to " + cmp.Or(email, "them") + ".", "withdrawn": "The invitation was withdrawn.",
		"role": "The role was changed.", "remove": "They are no longer on the team and have no access.",
		"transfer": "Ownership was transferred. You are now a manager.",
	}[what]
}
