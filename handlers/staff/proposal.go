package staff

import (
	"net/http"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/payment"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// propose shows a proposal, which everybody except its author may confirm. Version 0 means that there is none.
func propose(r *http.Request, c *Case, made db.Proposal, ends []ui.Option) {
	if made.Version == 0 {
		return
	}
	end, who := made.Decision, made.ProposedBy
	for _, o := range ends {
		if o.Value == end {
			end = o.Label
		}
	}
	if p, _ := web.Signed(r); p.Email == made.ProposedBy {
		who = "You"
	} else {
		c.Decisions = []ui.Option{choice(payment.EndProposed, "Confirm “"+end+"”", "As "+made.ProposedBy+" proposed")}
	}
	if made.Transactionid != "" {
		end += "”, transaction id “" + made.Transactionid
	}
	if made.Says != "" {
		c.Facts = append(c.Facts, view.Fact{Name: "The gateway said then", Value: made.Says})
	}
	c.Lacking = who + " proposed “" + end + "”. Reason: “" + made.Reason + "” The gateway did not confirm this, so another member of staff has to."
}
