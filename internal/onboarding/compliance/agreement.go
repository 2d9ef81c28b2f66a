package compliance

import (
	"crypto/sha256"
	"encoding/json"

	"forecourt/internal/site/legal"
)

// AgreementVersion names the text below. Change it whenever the text changes.
const AgreementVersion = "2025-11"

// Agreement is the text that a merchant signs.
type Agreement struct {
	legal.Document
	Version string
	Hash    [sha256.Size]byte // of the document as it is stored
	stored  string
}

// Agreement returns the Direct Debit Request Service Agreement that is offered now.
func (s *Records) Agreement() (Agreement, error) {
	a := Agreement{Document: agreementWith(s.provider), Version: AgreementVersion}
	text, err := json.Marshal(a.Document)
	a.stored, a.Hash = string(text), sha256.Sum256(text)
	return a, err
}

// agreementWith returns the agreement with p (COMPL-06 to COMPL-09).
func agreementWith(p legal.Provider) legal.Document {
	return legal.Document{
		Title: "Direct Debit Request Service Agreement",
		Summary: "This agreement says how " + p.Name + " debits fees and other amounts from your bank account, what we owe you when we do, " +
			"and what you can do when something is wrong. It comes with the Direct Debit Request that you sign below it.",
		Sections: []legal.Section{
			{ID: "terms", Title: "What the words mean", Blocks: []legal.Block{
				{Facts: []legal.Fact{
					{Name: "We, us", Value: p.Name + ", Australian Financial Services Licence No. " + p.Licence},
					{Name: "You", Value: "The business that signs, and whoever signs for it"},
					{Name: "Account", Value: "The account at your financial institution that you name below"},
					{Name: "Debit", Value: "An amount that we take from the account through BECS"},
					{Name: "BECS", Value: "The Bulk Electronic Clearing System of Australia's banks"},
					{Name: "Business day", Value: "A day that is no Saturday, no Sunday and no public holiday in Sydney"},
				}},
			}},
			{ID: "authority", Title: "BECS debit authority", Blocks: []legal.Block{
				{
					Text: "By signing you authorise us to arrange, through BECS, for what you owe us to be debited from your account. The authority " +
						"lasts until you cancel it or we end it. You confirm that you may operate the account alone, or " +
						"that everybody who has to sign for it has agreed.",
				},
				{Text: "We debit only what this agreement and your merchant agreement allow."},
			}},
			{ID: "amounts", Title: "Amounts and timing", Blocks: []legal.Block{
				{List: []string{
					"Merchant fees of a month are debited on the first business day of the month that follows. Your merchant agreement names them.",
					"Refunds, chargebacks and their costs that your settlements do not cover are debited when they arise. " +
						"We tell you the amount at least 2 business days before.",
					"When a debit falls on a day that is no business day, it is made on the next one. Ask your " +
						"financial institution if you are not sure when it is made.",
				}},
				{Text: "Each statement that we send you lists the debits of its month."},
			}},
			{ID: "decline", Title: "When a debit is declined", Blocks: []legal.Block{
				{
					Text: "Please see to it that the account holds enough money on the day of a debit, and that it allows debits " +
						"through BECS: not every account does. If a debit is declined:",
				},
				{List: []string{
					"you pay us a fee of $10.00 per BECS decline;",
					"your financial institution may charge you a fee or interest of its own;",
					"we may try the debit again after 3 business days, or ask you to pay in another way.",
				}},
			}},
			{ID: "our-changes", Title: "Changes by us", Blocks: []legal.Block{
				{
					Text: "We give you at least 14 days' notice in writing before we change this agreement, the amounts, or when " +
						"we debit them. You can cancel before a change takes effect.",
				},
			}},
			{ID: "your-changes", Title: "Changing, stopping and cancelling", Blocks: []legal.Block{
				{
					Text: "You may ask us at any time to change this request, to put a debit off, to stop a single debit, or to cancel the authority. " +
						"Write to " + p.SupportMail + " or call " + p.Australia.Phone + ".",
				},
				{List: []string{
					"Changes are made within 5 business days of your request.",
					"To stop a debit that is due sooner, contact your financial institution, which has to act on your request too.",
					"Cancelling the authority does not end your merchant agreement or what you owe under it: please arrange another way to pay with us.",
				}},
			}},
			{ID: "disputes", Title: "Disputes and claims", Blocks: []legal.Block{
				{
					Text: "If you think that a debit is wrong, tell us as soon as you can: write to " + p.SupportMail + " or call " +
						p.Australia.Phone + ". You may go to your financial institution instead.",
				},
				{List: []string{
					"We look into it and answer within 5 business days.",
					"If the debit was wrong, we arrange for your account to be adjusted, interest and charges " +
						"included, and tell you in writing by how much.",
					"If it was right, we give you our reasons and copies of what they rest on.",
					"If you are not content, ask your financial institution for a claim under the BECS rules. It has to answer a claim that is made " +
						"within 12 months of the debit within 7 business days, a later one within 30.",
					"You may also go to the Australian Financial Complaints Authority, free of charge: www.afca.org.au, 1800 931 678.",
				}},
			}},
			{ID: "account", Title: "Your account", Blocks: []legal.Block{
				{
					Text: "Please check the account against a recent statement before you sign, and ask your financial institution if you are not sure. " +
						"Tell us when it is moved or closed. You are responsible for debits that fail because what you told us was not right.",
				},
			}},
			{ID: "confidence", Title: "Confidentiality", Blocks: []legal.Block{
				{
					Text: "We keep what you tell us about your account confidential and encrypted, and see to it that our people and suppliers do. We " +
						"disclose it only as far as the law demands, or to make debits and to look into a claim: that includes our bank and yours, which " +
						"may ask for it in connection with a debit that is said to be wrong.",
				},
			}},
			{ID: "notices", Title: "Contact and notices", Blocks: []legal.Block{
				{
					Text: "We write to the email address of the account that signed, and you receive a notice on the business day after we send it. " +
						"Keep a copy of this agreement; we mail you one when you sign, and you can download it here at any time.",
				},
				{Facts: []legal.Fact{
					{Name: "Email", Value: p.SupportMail},
					{Name: "Phone", Value: p.Australia.Phone + ", toll-free " + p.Australia.TollFree},
					{Name: "Post", Value: p.Name + ", " + p.Australia.Address},
				}},
			}},
		},
	}
}
