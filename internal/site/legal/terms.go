package legal

// Terms says what customers, merchants and p agree on.
func Terms(p Provider) Document {
	return Document{
		Title: "Terms and conditions",
		Summary: "The business named at the top of a page sells to you; " + p.Name + " runs the page and the payment for it. You are charged " +
			"once for an order, and the page always shows its status.",
		Sections: []Section{
			{"sells", "Who sells", []Block{
				text("The business named at the top of the page sells what you order and makes it. Your contract for food, drink or anything else is " +
					"with that business. " + p.Name + " runs the ordering and payment pages for it and is not the seller."),
			}},
			{"orders", "Orders and prices", []Block{
				text("Prices are those shown when you order. In Australia they are in Australian dollars and include GST where it applies. An order " +
					"counts once it is paid. An order that nobody pays within two hours lapses, and nothing is charged."),
				text("If an item sells out or its price changes while you choose, the page says so before you pay."),
			}},
			{"payments", "Payments", []Block{
				text("You are charged once for an order. When a payment's outcome is not known at once, the page says so and keeps checking; please " +
					"do not pay again in the meantime. Your bank may ask you to confirm a payment, and may charge fees of its own."),
			}},
			{"refunds", "If something is wrong", []Block{
				text("Please speak to the business first. It can cancel what was not made and refund the card that was charged. Banks take up to ten " +
					"working days to show it. Nothing here limits your rights under the Australian Consumer Law or " +
					"the consumer law of the place where you live."),
			}},
			{"accounts", "Merchant accounts", []Block{
				list(
					"By opening an account you confirm that you may act for the business and that the information you give is true.",
					"Keep the password to yourself, and tell us at once if somebody else may know it.",
					"An account may be closed by its owner at any time, and by us if it is used in breach of the law or these terms.",
				),
			}},
			{"merchants", "What merchants agree to", []Block{
				list(
					"To sell what is on the menu at the prices shown, and to give money back where the law or these terms require it.",
					"To show no card numbers on screens or paper, and to ask for none outside the payment page.",
					"To tell us within five business days when the business, its owners or its bank account change.",
				),
				text("Fees, settlement times and chargebacks are part of the merchant agreement that comes with an approved application."),
			}},
			{"sandbox", "Test mode and the sandbox", []Block{
				text("Where a page says test mode, no money moves and nothing is made. The sandbox is there to " +
					"try things; do not put real card numbers into it."),
			}},
			{"service", "The service itself", []Block{
				text("We work to keep the pages reachable at all hours, but cannot promise that they always are. Where a fault of ours costs you " +
					"money, we put it right as far as the law requires. Please do not try to break, overload or get around the safeguards of the site; " +
					"if you find a weakness, write to " + p.SupportMail + "."),
			}},
			{"changes", "Changes and law", []Block{
				text("We may change these terms and show the new ones here. An order is subject to the terms shown when it was paid. The law of New " +
					"South Wales, Australia, applies; consumers keep the protection of the law where they live."),
				contact(p),
			}},
		},
	}
}
