// Package handlers holds the URL map of the whole site.
package handlers

import (
	"net/http"

	"forecourt/handlers/account"
	"forecourt/handlers/demo"
	"forecourt/handlers/desk"
	"forecourt/handlers/forms"
	"forecourt/handlers/merchant"
	"forecourt/handlers/site"
	"forecourt/handlers/web"
	"forecourt/static"
)

// routes is the map of the site. A new address belongs here before it works. {name} is one segment, * the rest.
func (p Pages) routes(s *web.Responder) []group {
	const get, post, patch, del = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete
	page, call := s.Page, s.API
	// proved asks for a proof that is not older than ten minutes; provable leaves it to the handler, which calls web.Prove.
	proved := func(h web.HandlerFunc) http.HandlerFunc { return page(p.Account.Proved(h)) }
	provable := func(h web.HandlerFunc) http.HandlerFunc { return page(p.Account.Provable(h)) }
	push := func(h web.HandlerFunc) http.HandlerFunc { return p.Push.Answer(s, h) }
	return []group{
		// The provider's pages and the demos.
		{session: true, routes: []Route{
			{get, "/", page(p.Site.Landing(http.StatusOK)), Anyone, 0, revalidate},
			{get, "/{page}", page(p.Site.Landing(http.StatusOK)), Anyone, 0, revalidate}, // one unknown segment is the same screen (ROUTE-02)
			{get, "/search", page(site.ShowSearch), Anyone, 0, revalidate},
			{get, "/privacy", page(p.Site.ShowPrivacy), Anyone, 0, revalidate},
			{get, "/terms", page(p.Site.ShowTerms), Anyone, 0, revalidate},
			{get, "/guide.pdf", page(p.Site.SendGuide), Anyone, 0, public},
			{get, "/docs", page(p.Docs.Show), Anyone, 0, revalidate},
			{get, "/docs/{page}", page(p.Docs.Show), Anyone, 0, revalidate},

			{get, "/demo", page(demo.ShowPlaceholder), Anyone, 0, revalidate},
			{get, "/demo/keygen", page(demo.ShowKeygen), Anyone, 0, revalidate},
			{post, "/demo/keygen", page(demo.CalculateKey), Anyone, fields, noStore},
			{get, "/demo/hps", page(p.Hosted.Show), InDemo, 0, revalidate},
			{post, "/demo/hps", page(p.Hosted.Sign), InDemo, fields, noStore},
			{get, "/demo/hps/{id}", page(p.Hosted.Show), InDemo, 0, revalidate}, // every id is the same page (ROUTE-09)
			{post, "/demo/hps/{id}/notify", call(p.Hosted.Hear), InDemo, fields, noStore},
			{get, "/demo/bridge", page(p.Bridge.Show), Anyone, 0, revalidate},
			{get, "/demo/qr", page(p.QR.Show), InDemo, 0, revalidate},
			{get, "/demo/qr/print", page(p.QR.Print), InDemo, 0, revalidate},
			{get, "/demo/qr/{client}.svg", page(p.QR.SVG), InDemo, 0, revalidate},
			{get, "/demo/qr/{client}.png", page(p.QR.PNG), InDemo, 0, revalidate},
			{get, "/crm/ws", page(p.Socket.Show), Anyone, 0, revalidate},
		}},

		// Accounts and tokens.
		{session: true, routes: []Route{
			{get, "/signin", page(account.ShowSignIn), Anyone, 0, revalidate},
			{post, "/signin", page(p.Account.SignIn), Anyone, fields, revalidate},
			{get, "/signin/code", page(p.Account.ShowCode), Anyone, 0, noStore},
			{post, "/signin/code", page(p.Account.TakeCode), Anyone, fields, noStore},
			{post, "/signin/passkey", page(p.Account.SignInByPasskey), Anyone, fields, noStore},
			{post, "/signin/passkey/ask", call(p.Account.AskPasskey), Anyone, 0, noStore},
			{get, "/signup", page(account.ShowSignUp), Anyone, 0, revalidate},
			{post, "/signup", page(p.Account.SignUp), Anyone, fields, revalidate},
			{post, "/signout", page(p.Account.SignOut), Anyone, 0, noStore},
			{get, "/reset", page(p.Account.ShowReset), Anyone, 0, revalidate},
			{post, "/reset", page(p.Account.AskReset), Anyone, fields, revalidate},
			{get, "/reset/{token}", page(p.Account.ShowNewPassword), Link, 0, noStore},
			{post, "/reset/{token}", page(p.Account.SetNewPassword), Link, fields, noStore},
			{get, "/first/{token}", page(p.Account.ShowFirst), Link, 0, noStore},
			{post, "/first/{token}", page(p.Account.MakeFirst), Link, fields, noStore},
			{get, "/join/{token}", page(p.Account.ShowJoin), Link, 0, noStore},
			{post, "/join/{token}", page(p.Account.Join), Link, fields, noStore},
			{get, "/verify/{token}", page(p.Account.ShowVerify), Guest, 0, noStore},
			{post, "/verify/{token}", page(p.Account.Verify), Guest, tap, noStore},
			{get, "/account", page(p.Account.ShowAccount), Self, 0, noStore},
			{post, "/account", page(p.Account.ChangeAccount), Self, fields, noStore},
			{get, "/account/two-step", page(p.Account.ShowTwoStep), Self, 0, noStore},
			{post, "/account/two-step", page(p.Account.ChangeTwoStep), Self, fields, noStore},
			{get, "/account/passkeys", page(p.Account.ShowPasskeys), Self, 0, noStore},
			{post, "/account/passkeys", provable(p.Account.ChangePasskeys), Self, fields, noStore},
			{post, "/account/passkeys/ask", call(p.Account.AskProof), Self, 0, noStore},
			{get, "/account/security", page(p.Account.ShowSecurity), Self, 0, noStore},
			{get, "/account/data", page(p.Account.ShowData), Own, 0, noStore},
			{post, "/account/data", provable(p.Account.ChangeData), Own, fields, noStore},
			{post, "/account/data/{copy}", proved(p.Account.SendCopy), Own, tap, noStore},
			{get, "/onboarding/tokengen/{docId}", page(p.TokenGen.ShowToken), Link, 0, noStore},
			{post, "/onboarding/tokengen/{docId}", p.TokenGen.Generate(s), Link, fields, noStore},
		}},

		// Merchants: the dashboard, which other sites may frame.
		{session: true, first: p.Merchant.Framed, routes: []Route{
			{get, "/merchant/admin", page(p.Merchant.Show), Asked, 0, noStore},
			{post, "/merchant/admin", page(p.Merchant.Save), Own, fields, noStore},
			{get, "/merchant/admin/width.css", page(merchant.ShowWidth), Anyone, 0, hour},
			{get, "/merchant/admin/{uuid}/products", page(p.Merchant.ShowProducts), Record, 0, noStore},
			{post, "/merchant/admin/{uuid}/products", page(p.Merchant.SaveProducts), Record, fields, noStore},
			{get, "/merchant/admin/{uuid}/calls", page(p.Merchant.ShowCalls), Record, 0, noStore},
			{post, "/merchant/admin/{uuid}/secret", proved(p.Merchant.Reveal), Record, fields, noStore},
			{post, "/merchant/admin/{uuid}/rotate", proved(p.Merchant.Rotate), Record, fields, noStore},
			{post, "/merchant/admin/{uuid}/admins", proved(p.Merchant.Invite), Record, fields, noStore},
			{get, "/prove/{id}", page(p.Account.ShowProve), Own, 0, noStore}, // here, because the dashboard asks for proofs in its frame
		}},
		{session: true, routes: []Route{
			{get, "/merchant/join/{token}", page(p.Merchant.ShowInvite), Guest, 0, noStore},
			{post, "/merchant/join/{token}", page(p.Merchant.Join), Guest, fields, noStore},
			{post, "/api/create", call(p.API.CreateMerchant), Asked, long, noStore},
		}},

		// Merchants: what they submit. An unknown form is not found before anybody has to sign in.
		{session: true, first: forms.Known(s), routes: []Route{
			{get, "/form/{id}", page(p.Forms.ShowForm), Own, 0, noStore},
			{post, "/form/{id}", page(p.Forms.LetsGo), Own, long, noStore},
			{get, "/form/{id}/check", page(p.Forms.ShowCheck), Own, 0, noStore},
			{post, "/form/{id}/check", page(p.Forms.Submit), Own, long, noStore},
			{get, "/form/{id}/{step}", page(p.Forms.ShowStep), Own, 0, noStore},
			{post, "/form/{id}/{step}", page(p.Forms.SaveStep), Own, long, noStore},
		}},
		{session: true, routes: []Route{
			{get, "/compliance/{id}", page(p.Compliance.ShowRecord), Record, 0, noStore},
			{post, "/compliance/{id}", page(p.Compliance.Post), Record, upload, noStore},
			{get, "/compliance/{id}/agreement.pdf", page(p.Compliance.SendAgreement), Record, 0, noStore},
			{get, "/compliance/{id}/{number}/{side}", page(p.Compliance.SendPicture), Record, 0, noStore},
			{get, "/api/compliance/{id}", call(p.Compliance.TellRecord), Record, 0, noStore},
			{post, "/api/compliance/{id}/people/{number}", call(p.Compliance.SavePersonJSON), Record, upload, noStore},
		}},

		// Staff.
		{session: true, routes: []Route{
			{get, "/staff/forms", page(p.FormDesk.ShowQueue), Staff, 0, noStore},
			{get, "/staff/forms/{reference}", page(p.FormDesk.ShowCase), Staff, 0, noStore},
			{post, "/staff/forms/{reference}", page(p.FormDesk.DecideCase), Staff, reason, noStore},
			{get, "/staff/disputes", page(p.DisputeDesk.ShowQueue), Staff, 0, noStore},
			{get, "/staff/disputes/{id}", page(p.DisputeDesk.ShowCase), Staff, 0, noStore},
			{get, "/staff/payments", page(p.PaymentDesk.ShowQueue), Staff, 0, noStore},
			{get, "/staff/payments/{id}", page(p.PaymentDesk.ShowCase), Staff, 0, noStore},
			{post, "/staff/payments/{id}", page(p.PaymentDesk.DecideCase), Staff, reason, noStore},
			{get, "/staff/payouts", page(p.PayoutDesk.ShowQueue), Staff, 0, noStore},
			{get, "/staff/payouts/{id}", page(p.PayoutDesk.ShowCase), Staff, 0, noStore},
			{post, "/staff/payouts/{id}", page(p.PayoutDesk.DecideCase), Staff, reason, noStore},
			{get, "/staff/refunds", page(p.RefundDesk.ShowQueue), Staff, 0, noStore},
			{get, "/staff/refunds/{id}", page(p.RefundDesk.ShowCase), Staff, 0, noStore},
			{post, "/staff/refunds/{id}", page(p.RefundDesk.DecideCase), Staff, reason, noStore},
			{get, "/staff/accounts", page(p.AccountDesk.ShowQueue), Staff, 0, noStore},
			{get, "/staff/accounts/{client}", page(p.AccountDesk.ShowAccounts), Staff, 0, noStore},
			{post, "/staff/accounts/{client}", proved(p.AccountDesk.ChangeAccounts), Staff, fields, noStore},
			{get, "/staff/compliance", page(p.ComplianceDesk.ShowQueue), Staff, 0, noStore},
			{get, "/staff/compliance/{id}/{number}", page(p.ComplianceDesk.ShowCase), Staff, 0, noStore},
			{post, "/staff/compliance/{id}/{number}", page(p.ComplianceDesk.DecideCase), Staff, reason, noStore},
			{get, "/staff/live", page(p.LaunchDesk.ShowQueue), Staff, 0, noStore},
			{get, "/staff/live/{client}", page(p.LaunchDesk.ShowCase), Staff, 0, noStore},
			{post, "/staff/live/{client}", proved(p.LaunchDesk.DecideCase), Staff, reason, noStore},
			{get, "/staff/site", page(p.SiteDesk.Show), Staff, 0, noStore},
			{get, "/staff/site/nav/{id}", page(p.SiteDesk.ShowEntry), Staff, 0, noStore},
			{post, "/staff/site/nav/{id}", page(p.SiteDesk.ChangeEntry), Staff, fields, noStore},
			{get, "/staff/site/slides/{id}", page(p.SiteDesk.ShowSlide), Staff, 0, noStore},
			{post, "/staff/site/slides/{id}", page(p.SiteDesk.ChangeSlide), Staff, upload, noStore},
			{get, "/staff/compliance/{id}/{number}/{side}", page(p.Compliance.SendReviewPicture), Staff, 0, noStore},
		}},

		// A shop's desk, for its team.
		{session: true, routes: []Route{
			{get, "/desk", page(p.Desk.ShowShops), Own, 0, noStore},
			{get, "/desk/new", page(p.Desk.ShowNew), Own, 0, noStore},
			{post, "/desk/new", page(p.Desk.Create), Own, upload, noStore},
			{get, "/desk/look", page(desk.ShowLook), Own, 0, noStore},
			{get, "/desk/{client}", page(p.Desk.ShowHome), Team, 0, noStore},
			{get, "/desk/{client}/today", page(p.Desk.ShowToday), Team, 0, noStore},
			{get, "/desk/{client}/payments", page(p.Desk.ShowPayments), Team, 0, noStore},
			{get, "/desk/{client}/payments/limits", page(p.Desk.ShowLimits), Owner, 0, noStore},
			{post, "/desk/{client}/payments/limits", proved(p.Desk.ChangeLimits), Owner, fields, noStore},
			{get, "/desk/{client}/payments/{id}", page(p.Desk.ShowPayment), Team, 0, noStore},
			{get, "/desk/{client}/payments/{id}/refund", page(p.Desk.ShowRefund), Refunder, 0, noStore},
			{post, "/desk/{client}/payments/{id}/refund", provable(p.Desk.GiveBack), Refunder, fields, noStore},
			{get, "/desk/{client}/notices", page(p.Desk.ShowNotices), Team, 0, noStore},
			{post, "/desk/{client}/notices", page(p.Desk.ChangeNotices), Team, fields, noStore},
			{get, "/desk/{client}/payouts", page(p.Desk.ShowPayouts), Team, 0, noStore},
			{get, "/desk/{client}/payouts/owed", page(p.Desk.ShowOwed), Team, 0, noStore},
			{get, "/desk/{client}/payouts/{id}", page(p.Desk.ShowPayout), Team, 0, noStore},
			{get, "/desk/{client}/disputes", page(p.Desk.ShowDisputes), Team, 0, noStore},
			{get, "/desk/{client}/disputes/{id}", page(p.Desk.ShowDispute), Team, 0, noStore},
			{get, "/desk/{client}/access", page(p.Desk.ShowAccess), Hirer, 0, noStore},
			{get, "/desk/{client}/exports", page(p.Desk.ShowExports), Bookkeeper, 0, noStore},
			{post, "/desk/{client}/exports", page(p.Desk.Export), Bookkeeper, fields, noStore},
			{get, "/desk/{client}/exports/{id}", page(p.Desk.ShowExport), Bookkeeper, 0, noStore},
			{get, "/desk/{client}/exports/{id}/file", page(p.Desk.SendExport), Bookkeeper, 0, noStore},
			{get, "/desk/{client}/closings", page(p.Desk.ShowClosings), Team, 0, noStore},
			{post, "/desk/{client}/closings", page(p.Desk.CloseDay), Bookkeeper, tap, noStore},
			{get, "/desk/{client}/closings/{no}", page(p.Desk.ShowClosing), Team, 0, noStore},
			{get, "/desk/{client}/closings/{no}/closing.json", page(p.Desk.SendClosing), Team, 0, noStore},
			{get, "/desk/{client}/closings/{no}/closing.pdf", page(p.Desk.PrintClosing), Team, 0, noStore},
			{get, "/desk/{client}/live", page(p.Desk.ShowLive), Team, 0, noStore},
			{post, "/desk/{client}/live", provable(p.Desk.ChangeLive), Owner, reason, noStore},
			{get, "/desk/{client}/shop", page(p.Desk.ShowDetails), Editor, 0, noStore},
			{post, "/desk/{client}/shop", page(p.Desk.SaveDetails), Editor, upload, noStore},
			{get, "/desk/{client}/menu", page(p.Desk.ShowMenu), Editor, 0, noStore},
			{post, "/desk/{client}/menu", page(p.Desk.ArrangeMenu), Editor, fields, noStore},
			{get, "/desk/{client}/menu/category/{id}", page(p.Desk.ShowCategory), Editor, 0, noStore},
			{post, "/desk/{client}/menu/category/{id}", page(p.Desk.SaveCategory), Editor, fields, noStore},
			{get, "/desk/{client}/menu/item/{id}", page(p.Desk.ShowItem), Editor, 0, noStore},
			{post, "/desk/{client}/menu/item/{id}", page(p.Desk.SaveItem), Editor, upload, noStore},
			{get, "/desk/{client}/menu/group/{id}", page(p.Desk.ShowGroup), Editor, 0, noStore},
			{post, "/desk/{client}/menu/group/{id}", page(p.Desk.SaveGroup), Editor, long, noStore},
			{get, "/desk/{client}/menu/publish", page(p.Desk.ShowPublish), Editor, 0, noStore},
			{post, "/desk/{client}/menu/publish", page(p.Desk.PublishMenu), Editor, tap, noStore},
			{get, "/desk/{client}/menu/versions", page(p.Desk.ShowVersions), Editor, 0, noStore},
			{post, "/desk/{client}/menu/versions", page(p.Desk.BringBack), Editor, tap, noStore},
			{get, "/desk/{client}/menu/soldout", page(p.Kitchen.ShowSoldOut), Editor, 0, noStore},
			{post, "/desk/{client}/menu/soldout", page(p.Kitchen.ChangeSoldOut), Editor, tap, noStore},
			{get, "/desk/{client}/menu/import", page(p.Desk.ShowImport), Editor, 0, noStore},
			{post, "/desk/{client}/menu/import", page(p.Desk.TakeFile), Editor, table, noStore},
			{get, "/desk/{client}/menu/export/{file}", page(p.Desk.SendMenu), Editor, 0, noStore},
			{get, "/desk/{client}/menu/preview", page(p.POS.ShowPreview), Editor, 0, noStore},
			{post, "/desk/{client}/menu/preview", page(p.POS.IgnorePreview), Editor, long, noStore},
			{get, "/desk/{client}/screens", page(p.Desk.ShowScreens), Hirer, 0, noStore},
			{post, "/desk/{client}/screens", page(p.Desk.ChangeScreens), Hirer, fields, noStore},
			{get, "/desk/{client}/team", page(p.Desk.ShowTeam), Hirer, 0, noStore},
			{post, "/desk/{client}/team", proved(p.Desk.ChangeTeam), Hirer, fields, noStore},
			{get, "/desk/{client}/team/{account}", page(p.Desk.ShowMember), Hirer, 0, noStore},
			{post, "/desk/{client}/team/{account}", proved(p.Desk.ChangeMember), Hirer, fields, noStore},
			{get, "/desk/{client}/tables", page(p.Desk.ShowTables), Editor, 0, noStore},
			{post, "/desk/{client}/tables", page(p.Desk.SaveTables), Editor, fields, noStore},
			{get, "/desk/{client}/tables/code", page(p.Desk.ShowCode), Editor, 0, noStore},
			{get, "/desk/{client}/tables/code.svg", page(p.Desk.SendSVG), Editor, 0, noStore},
			{get, "/desk/{client}/tables/code.png", page(p.Desk.SendPNG), Editor, 0, noStore},
			{get, "/desk/{client}/tables/print", page(p.Desk.ShowPrint), Editor, 0, noStore},
			{get, "/desk/{client}/links", page(p.Desk.ShowLinks), Team, 0, noStore},
			{get, "/desk/{client}/links/new", page(p.Desk.ShowNewLink), Editor, 0, noStore},
			{post, "/desk/{client}/links/new", page(p.Desk.MakeLink), Editor, fields, noStore},
			{get, "/desk/{client}/links/many", page(p.Desk.ShowManyLinks), Editor, 0, noStore},
			{post, "/desk/{client}/links/many", page(p.Desk.MakeManyLinks), Editor, table, noStore},
			{get, "/desk/{client}/links/many/{batch}/links.csv", page(p.Desk.SendLinkBatch), Team, 0, noStore},
			{get, "/desk/{client}/links/{id}", page(p.Desk.ShowLink), Team, 0, noStore},
			{post, "/desk/{client}/links/{id}", page(p.Desk.ChangeLink), Editor, fields, noStore},
			{get, "/desk/{client}/links/{id}/code.svg", page(p.Desk.SendLinkCode), Team, 0, noStore},
		}},

		// The kitchen.
		{session: true, routes: []Route{
			{get, "/kitchen/{token}", page(p.Kitchen.ShowLink), Link, 0, noStore},
			{post, "/kitchen/{token}", page(p.Kitchen.OpenLink), Link, tap, noStore},
			{get, "/pos/{client}/kitchen", page(p.Kitchen.ShowScreen), Kitchen, 0, noStore},
			{post, "/pos/{client}/kitchen", page(p.Kitchen.Tap), Kitchen, tap, noStore},
			{get, "/pos/{client}/kitchen/events", page(p.Kitchen.ShowEvents), Kitchen, 0, noStore},
		}},

		// Customers, who are anonymous: no session is looked at.
		{routes: []Route{
			{get, "/pos/{client}", page(p.POS.ShowMenu), Anyone, 0, revalidate},
			{post, "/pos/{client}", page(p.POS.ChangeMenu), Anyone, long, revalidate},
			{get, "/pos/{client}/order", page(p.POS.ShowOrder), Anyone, 0, revalidate},
			{post, "/pos/{client}/order", page(p.POS.ChangeOrder), Anyone, long, revalidate},
			{get, "/pos/{client}/item/{id}", page(p.POS.ShowItem), Anyone, 0, revalidate},
			{post, "/pos/{client}/item/{id}", page(p.POS.AddItem), Anyone, long, revalidate},
			{get, "/pos/{client}/demo", page(p.Pay.ShowDemo), Anyone, 0, noStore},
			{post, "/pos/{client}/demo", page(p.Pay.PayDemo), Anyone, fields, noStore},
			{post, "/pos/{client}/demo/retry", page(p.Pay.RetryDemo), Anyone, 0, noStore},
			{get, "/pos/{client}/{id}", page(p.Pay.ShowPayment), Link, 0, noStore},
			{post, "/pos/{client}/{id}", page(p.Pay.PayByCard), Link, fields, noStore},
			{get, "/pos/{client}/{id}/events", page(p.Pay.ShowEvents(s)), Link, 0, noStore},
			{post, "/pos/{client}/{id}/retry", page(p.Pay.Retry), Link, 0, noStore},
			{post, "/pos/{client}/{id}/push", page(p.Pay.AttachPush), Link, fields, noStore},

			{get, "/receipt/verify", page(p.Receipt.CheckReceipt), Anyone, 0, noStore},
			{post, "/receipt/verify", page(p.Receipt.CheckClosing), Anyone, long, noStore},
			{get, "/receipt/key.pem", page(p.Receipt.SendKey), Anyone, 0, byHandler},
			{get, "/receipt/{token}", page(p.Receipt.ShowReceipt), Link, 0, noStore},
			{get, "/receipt/{token}/code.svg", page(p.Receipt.SendCode), Link, 0, noStore},
			{get, "/receipt/{token}/receipt.txt", page(p.Receipt.SendText), Link, 0, noStore},
			{get, "/receipt/{token}/receipt.sig", page(p.Receipt.SendSignature), Link, 0, noStore},
			{post, "/receipt/{token}/resend", page(p.Receipt.SendAgain), Link, tap, noStore},
			{post, "/receipt/{token}/send", page(p.Receipt.SendTo), Link, tap, noStore},
			{get, "/receipt/{token}/erase", page(p.Receipt.ShowErase), Link, 0, noStore},
			{post, "/receipt/{token}/erase", page(p.Receipt.Erase), Link, tap, noStore},

			{get, "/picture/{hash}", page(p.Desk.SendPicture), Anyone, 0, byHandler},
			{get, "/picture/{hash}/{size}", page(p.Desk.SendPicture), Anyone, 0, byHandler},

			{get, "/s/{code}", page(p.Shortlink.Follow), Anyone, 0, noStore},
			{get, "/s/*", page(p.Shortlink.Follow), Anyone, 0, noStore}, // no code has a slash
		}},

		// The API, in JSON.
		{routes: []Route{
			{post, "/api/pos", call(p.API.CreateOrder), Anyone, long, noStore},
			{get, "/api/pos/{client}", call(p.API.ShowClient), Anyone, 0, noStore},
			{get, "/api/pos/{client}/{id}", call(p.API.ShowTransaction), Link, 0, noStore},
			{post, "/api/pay", call(p.API.PayByCard), Link, fields, noStore},
			{post, "/api/wallet", call(p.API.PayByWallet), Link, fields, noStore},
			{post, "/api/wallet/session", call(p.API.StartSession), Anyone, fields, noStore},
			{post, "/api/batch", call(p.API.CreateBatch), Holder, table, noStore},
			{get, "/api/batch/{id}", call(p.API.ShowBatch), Holder, 0, noStore},
			{post, "/gateway/{uuid}/pay", call(p.TestGateway.Pay), Holder, fields, noStore},
			{get, "/api/shortcode/{code}", call(p.Shortlink.ShowTarget), Anyone, 0, noStore},
			{post, "/api/push/v1/projects/{project}/registrations", push(p.Push.Register), Anyone, fields, noStore},
			{patch, "/api/push/v1/projects/{project}/registrations/{token}", push(p.Push.Update), Link, fields, noStore},
			{del, "/api/push/v1/projects/{project}/registrations/{token}", push(p.Push.Remove), Link, 0, noStore},
			{get, "/sw.js", static.ServiceWorker, Anyone, 0, public},
		}},

		// Operators, and what has no page.
		{routes: []Route{
			{get, "/robots.txt", site.ShowRobots, Anyone, 0, public},
			{get, "/healthz", site.Healthy, Anyone, 0, byHandler},
			{get, "/readyz", call(p.Site.Ready), Anyone, 0, noStore},
			{get, "/status", page(p.Site.ShowStatus), Anyone, 0, noStore}, // asks no session, and so no database
			{"", "/static/*", p.Static, Anyone, 0, byHandler},
			{get, "/.well-known/apple-developer-merchantid-domain-association", p.Apple, Anyone, 0, byHandler}, // where Apple looks whether a domain takes part
			{"", "/.well-known/*", http.NotFound, Nobody, 0, byHandler},
			{"", "/sw.js/*", http.NotFound, Nobody, 0, byHandler},
			{"", "/sandbox/*", p.Sandbox, Anyone, free, byHandler}, // with the built-in gateway
		}},
		{session: true, routes: []Route{
			{get, "/dev/outbox", page(p.Outbox.ListMails), InDemo, 0, revalidate}, // mails hold links to new passwords
			{get, "/dev/outbox/{id}", page(p.Outbox.ShowMail), InDemo, 0, revalidate},
			{get, "/dev/outbox/{id}/html", page(p.Outbox.ShowHTML), InDemo, 0, revalidate},
			{get, "/dev/outbox/{id}/file", page(p.Outbox.SendFile), InDemo, 0, revalidate},
		}},
	}
}
