package legal

// Guide returns the financial services guide of p: who provides which service under which licence, what it costs, and where to
// complain.
func Guide(p Provider) Document {
	return Document{
		Title: "Financial services guide",
		Summary: "This guide helps you to decide whether to use the financial services of " + p.Name + ". It says who we are, what we may do " +
			"for you, how we are paid and what you can do when you are not content.",
		Sections: []Section{
			{"who", "Who we are", []Block{
				text(p.Name + " provides payment services to businesses and acts for itself when it does so."),
				facts(Fact{"Provider", p.Name}, Fact{"Australian Financial Services Licence", "No. " + p.Licence}),
			}},
			{"services", "What we are authorised to do", []Block{
				list(
					"Issue and arrange non-cash payment facilities: card payments, wallets and direct debit for businesses.",
					"Give general advice about these facilities.",
				),
				text("We serve retail and wholesale clients. Any advice in this guide or on our site is general: it does not take your aims, " +
					"finances or needs into account. Please read the merchant agreement before you decide."),
			}},
			{"documents", "Other documents you receive", []Block{
				list(
					"The merchant agreement, with fees and settlement times, when your application is approved.",
					"The Direct Debit Request Service Agreement, where fees are debited from your account.",
					"Our privacy policy and terms, at any time on our site.",
				),
			}},
			{"fees", "What it costs", []Block{
				text("Merchants pay a share of each payment and, where agreed, a monthly fee; your merchant agreement names both. A declined direct " +
					"debit costs $10.00. Customers who pay on our pages pay nothing to us."),
				text("Our staff are paid a salary. They receive no commission for what you sign, and we neither pay for nor " +
					"receive money for referrals unless your agreement says so."),
			}},
			{"instructions", "How to instruct us", []Block{
				text("You can give instructions on our site after signing in, by email or by phone. We may " +
					"ask you to prove who you are before we act."),
			}},
			{"compensation", "Compensation arrangements", []Block{
				text("We hold professional indemnity insurance as section 912B of the Corporations Act 2001 asks. It " +
					"covers the work of our staff, also after they have left."),
			}},
			{"complaints", "Complaints", []Block{
				text("Please tell us first: write to " + p.SupportMail + " or call us. We confirm a complaint " +
					"within one business day and answer it within 30 days."),
				text("If you are not content with our answer, or have none after 30 days, you may take a complaint free of charge to the Australian " +
					"Financial Complaints Authority (AFCA): www.afca.org.au, info@afca.org.au, 1800 931 678, GPO Box 3, Melbourne VIC 3001."),
			}},
			{"contact", "How to reach us", []Block{contact(p)}},
		},
	}
}
