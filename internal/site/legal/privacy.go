package legal

// DataPath is the page on which people take a copy of their data and erase their account.
const DataPath = "/account/data"

// Privacy says what happens to what people type into the site of p.
func Privacy(p Provider) Document {
	return Document{
		Title: "Privacy policy",
		Summary: p.Name + " keeps what it needs to take an order, to charge a card once and to answer questions about it later. It keeps no " +
			"full card numbers, tracks nobody and sells nothing.",
		Sections: []Section{
			{"who", "Who we are", []Block{
				text(p.Name + " runs ordering and payment pages for businesses. When you order or pay on one of these pages, the business named at " +
					"the top sells to you, and we handle the page and the payment for it. This policy covers the " +
					"pages, the accounts of merchants and the sandbox."),
			}},
			{"collect", "What we keep", []Block{
				list(
					"Of an order: what was ordered, the table or name, the amount and when it was paid.",
					"Of a card: its brand, its last four digits and its expiry date, and the name and email address that were typed with it.",
					"Of a merchant account: the email address, a one-way hash of the password, what one-time codes and passkeys are checked with, and "+
						"what was filled into application forms. For a year: when, from which network address and with which "+
						"browser it was signed in to, and each change to how you sign in.",
					"Of an application: the business, the people behind it and the documents that the law requires us to "+
						"check. Pictures of identity documents are stored encrypted.",
					"Of each request: time, address on this site, network address and the kind of answer, for as "+
						"long as we need it to find faults and stop abuse.",
				),
			}},
			{"never", "What we never keep", []Block{
				text("The full card number and the security code. They go to the payment gateway once, encrypted on the way, and are gone from our " +
					"memory afterwards. They are never in our databases, logs or emails."),
			}},
			{"use", "What we use it for", []Block{
				list(
					"To make the order, take the payment and send the receipt.",
					"To decide on an application and to meet our obligations as a licensed financial services business.",
					"To recognise card testing and other abuse.",
					"To answer you when you ask.",
				),
				text("We do not use it for advertising, and no decision about a person is made by a program alone."),
			}},
			{"share", "Who else sees it", []Block{
				list(
					"The business that you order from sees your order, your name or table, and whether it was paid.",
					"The payment gateway, the card schemes and your bank see the payment.",
					"Authorities see what the law obliges us to show them.",
				),
				text("Nobody else does. Nothing is sold or lent."),
			}},
			{"browser", "In your browser", []Block{
				text("Your basket stays in your own browser for up to twelve hours, so that a reload does not lose it; without scripts a cookie " +
					"remembers for as long which orders you made. After a payment that did not go through, a cookie keeps the name and the email " +
					"address that you typed, never the card, for two hours or until you have paid, and another one, for 180 days, that leads your " +
					"browser alone from the payment to its receipt. Signing in sets two cookies: one ends when you sign out or after twelve hours, the " +
					"other stays for a year, does not say who you are, and keeps others who try your password from locking you out. On the way to it " +
					"there are two more: one for ten minutes while we ask for a code, one for an hour where passkeys are offered. A kitchen screen " +
					"keeps a cookie for a year after its last visit, and a browser that shows a business's notifications one for a year, so that " +
					"signing out ends them. Where a business is in test mode, its team gets one for twelve hours, which lets them order from their own " +
					"menu at any hour. There is no tracking, and except for the buttons of Apple Pay and Google Pay on payment pages that offer them, " +
					"no script of anybody else runs on our pages."),
			}},
			{"keep", "How long we keep it", []Block{
				text("Records of payments, applications that were decided, and agreements are kept for seven years, as tax and financial services " +
					"law requires. The security log of an account is kept for a year, emails for 30 days, drafts for 180 days. Anything else is kept " +
					"only as long as it is of use to the person it is about, or removed earlier when they ask."),
			}},
			{"rights", "Your rights", []Block{
				text("You may ask what is stored about you, have it corrected, take a copy elsewhere, and have it erased where no law obliges us to " +
					"keep it. Wherever you live, you can do most of it yourself:"),
				list(
					"With an account: at "+DataPath+" you download a copy of everything stored about you, as a ZIP file, and erase the account. The "+
						"erasure waits for 7 days, in which you can cancel it.",
					"As a customer: at the end of your receipt you can have your name, email address, table and notes removed from the payment. You "+
						"confirm it through a link that we email to the address given with the payment. The business that "+
						"you paid can have it done, too, when you ask there.",
					"Anything else: write to us, or ask the business that you ordered from; we answer within 30 days.",
				),
				{Link: &Fact{"Your data: take a copy, or erase your account", DataPath}},
				text("After an erasure the books of businesses stay: amounts, times, references, and of a card its brand and last four digits, " +
					"without your name. Applications that were decided and agreements that you signed stay for the seven years. Older backups are " +
					"deleted in time. If one is restored, all erasures are repeated."),
			}},
			{"complain", "Questions and complaints", []Block{
				text("Please write to " + p.SupportMail + " first, so that we can put it right. If our answer does not satisfy you, the Office of " +
					"the Australian Information Commissioner and, in the United Kingdom, the Information Commissioner's Office take complaints."),
				contact(p),
			}},
		},
	}
}

// contact is how to reach the provider. A number that it does not have is left out.
func contact(p Provider) Block {
	var all []Fact
	for _, f := range []Fact{
		{"Email", p.SupportMail},
		{"Australia", p.Australia.Address}, {"Phone", p.Australia.Phone}, {"Toll-free", p.Australia.TollFree},
		{"United Kingdom", p.UnitedKingdom.Address}, {"Phone (UK)", p.UnitedKingdom.Phone}, {"Fax (UK)", p.UnitedKingdom.Fax},
	} {
		if f.Value != "" {
			all = append(all, f)
		}
	}
	return facts(all...)
}
