package desk

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
	"forecourt/views/ui"
)

// Team is the page of the people who work for a business, and the form that invites somebody.
type Team struct {
	Shop    shop.Shop
	Role    shop.Role // of the reader
	Me      uuid.UUID
	Zone    *time.Location
	Members []shop.Member
	Invited []shop.Invited
	Done    string // what was just done; empty for nothing
	// What was typed, what is wrong with the address, and a problem that belongs to no field.
	Email, EmailProblem, Notice string
	Invites                     shop.Role
}

// opens reports whether the reader may open the page of a member.
func (m Team) opens(one shop.Member) bool {
	return one.ID == m.Me || m.Role.MayManage(shop.Role(one.Role))
}

// called returns what a member is called.
func called(one shop.Member) string { return cmp.Or(one.Name, one.Email) }

func (m Team) emailField() ui.Field {
	return ui.Field{
		ID: "email", Name: "email", Label: "Email", Type: "email", Autocomplete: "off", Value: m.Email, Problem: m.EmailProblem,
		Hint: "The invitation works once, for " + clock.Spelled(account.InviteFor) + ", and only for this address.",
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

var roleHints = map[shop.Role]string{
	shop.Owner: "Everything, this page included", shop.Manager: "Runs the business from day to day",
	shop.Floor:      "Works in the kitchen or at the tables",
	shop.Viewer:     "Can look, but change nothing",
	shop.Accountant: "Reads and downloads payments, payouts and statements; nothing else",
}

var rightWords = map[shop.Right]string{
	shop.Look:    "See payments and disputes",
	shop.Takings: "See what was taken, payouts and ends of day",
	shop.Day:     "See what waits today, pay links and the steps to go live",
	shop.Kitchen: "Run the kitchen screen and mark items sold out",
	shop.Refund:  "Make refunds, up to the limit of the role",
	shop.Edit:    "Change the menu, tables and business details; make pay links",
	shop.Close:   "Close the day",
	shop.Books:   "Download payments and statements",
	shop.Hire:    "Invite, change and remove floor staff, viewers and accountants; connect kitchen screens",
	shop.Own:     "Change everybody’s role, sign agreements, go live",
}

// Problems of an invitation that belong to no field.
const (
	InviteUnproven = "We verify every owner’s identity. Invite this person as a manager; then choose " +
		"“Change” beside the name to make them an owner."
	VerifyFirst = "Confirm your own email address first: open the link that we emailed to you, or ask for another on your account page."
)

// TooManyInvites says that the day's invitations are used up; in so many hours the next may be sent.
func TooManyInvites(most, hours int) string {
	return "You can send " + strconv.Itoa(most) + " invitations a day. Try again in " + ui.Count(hours, "hour") + "."
}

// TeamDone returns the text for what was just done, "" for nothing.
func TeamDone(what, email string) string {
	return map[string]string{
		"invited": "The invitation is on its way to " + cmp.Or(email, "them") + ".", "withdrawn": "The invitation was withdrawn.",
		"role": "The role was changed.", "remove": "They are no longer on the team and have no access.",
		"transfer": "Ownership was transferred. You are now a manager.",
	}[what]
}

// Member is the page of a person on the team.
type Member struct {
	shop.Member

	By     shop.Role // the reader's
	You    bool
	Zone   *time.Location
	Notice string
	Proof  shop.Proof // what is known of the member, if it is the owner or may become it
	NoName string     // what is wrong with the full name
}

// transfers reports whether the reader may make the member owner in the reader's place.
func (m Member) transfers() bool {
	return m.By.May(shop.Own) && !m.You && shop.Role(m.Role) != shop.Owner
}

// Owned reports whether the member owns the business, or could be made its owner by the reader.
func (m Member) Owned() bool {
	return m.By.May(shop.Own) && (!m.You || shop.Role(m.Role) == shop.Owner)
}

// unknown reports whether the member owns the business, nobody has verified who they are, and the reader may enter it.
func (m Member) unknown() bool {
	return m.By.May(shop.Own) && shop.Role(m.Role) == shop.Owner && !m.Proof.MayOwn()
}

// ProofURL is where the identity of a member is entered.
func ProofURL(p shop.Proof) string {
	return "/compliance/" + p.Record + "?person=" + strconv.Itoa(p.Number)
}

// proofWords says how far the proof of a member's identity has come.
func (m Member) proofWords() string {
	then := ""
	if m.transfers() {
		then = " Then you can transfer the business here."
	}
	switch m.Proof.State {
	case state.PersonWaiting:
		return "We are checking who " + called(m.Member) + " is, and will email you." + then
	case state.PersonReturned:
		return "We need a little more to know who " + called(m.Member) + " is."
	default:
		return "Enter the details of " + called(m.Member) + ", and we check them." + then
	}
}

// fullName asks for the name of a member who is to own the business. A first name alone is not filled in.
func (m Member) fullName() ui.Field {
	f := ui.Field{ID: "name", Name: "name", Label: "Full name, as on the driver licence", Autocomplete: "off", Problem: m.NoName}
	if strings.Contains(m.Name, " ") {
		f.Value = m.Name
	}
	return f
}

// pageNames are the pages of a desk that staff can see, by the first part of their address below it.
var pageNames = map[string]string{
	"": "Home", "today": "Today", "payments": "Payments", "payouts": "Payouts", "disputes": "Disputes", "closings": "End of day",
	"sold": "Items sold", "live": "Going live", "shop": "Business", "surcharges": "Surcharges and tips",
	"menu": "Menu", "screens": "Screens", "team": "Team", "tables": "Tables",
}

// pageName names a page that staff looked at, with the rest of its address.
func pageName(page string) string {
	first, rest, _ := strings.Cut(page, "/")
	name := pageNames[first]
	if name == "" {
		return page
	}
	if rest != "" {
		name += ": " + rest
	}
	return name
}
