// Package handlers holds the URL map of the whole site.
package handlers

import (
	"net/http"
	"slices"

	"forecourt/handlers/account"
	"forecourt/handlers/demo"
	"forecourt/handlers/site"
	"forecourt/handlers/web"
	"forecourt/static"
)

const get, post, patch, del = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete

// routes returns the map of the site. This file has the addresses for people who visit, sign in or pay, and for programs; routesteam.go has
// those for merchants, teams and staff. A new address works only once it is in one of the two. {name} is one segment, * the rest.
func (p Pages) routes(s *web.Responder) []group {
	return slices.Concat(p.visitorRoutes(s), p.teamRoutes(s), p.customerRoutes(s))
}

// wrappers turn a web.HandlerFunc into the handler of a row.
type wrappers struct {
	page, call       func(web.HandlerFunc) http.HandlerFunc // answer an error with a page, or with JSON
	proved, provable func(web.HandlerFunc) http.HandlerFunc // see wrap
}

// wrap returns the wrappers. proved demands a proof of identity that is not older than account.ProofFor; provable leaves that to the
// handler, which calls session.Prove.
func (p Pages) wrap(s *web.Responder) wrappers {
	return wrappers{
		page: s.Page, call: s.API,
		proved:   func(h web.HandlerFunc) http.HandlerFunc { return s.Page(p.Account.Proved(h)) },
		provable: func(h web.HandlerFunc) http.HandlerFunc { return s.Page(p.Account.Provable(h)) },
	}
}

// visitorRoutes returns the routes of the provider's pages, the demos and accounts.
func (p Pages) visitorRoutes(s *web.Responder) []group {
	w := p.wrap(s)
	page, call, proved, provable := w.page, w.call, w.proved, w.provable
	return []group{
		// The provider's pages and the demos.
		{session: true, routes: []Route{
			{get, "/", page(p.Site.Landing(http.StatusOK)), Anyone, 0, revalidate},
			{get, "/{page}", page(web.Real(p.Site.Landing(http.StatusOK))), Anyone, 0, revalidate}, // ROUTE-02
			{get, "/search", page(site.ShowSearch), Anyone, 0, revalidate},
			{get, "/privacy", page(p.Site.ShowPrivacy), Anyone, 0, revalidate},
			{get, "/terms", page(p.Site.ShowTerms), Anyone, 0, revalidate},
			{get, "/guide.pdf", page(p.Site.SendGuide), Anyone, 0, public},
			{get, "/docs", page(p.Docs), Anyone, 0, revalidate},
			{get, "/docs/{page}", page(p.Docs), Anyone, 0, revalidate},

			{get, "/demo", page(demo.ShowPlaceholder), Anyone, 0, revalidate},
			{get, "/demo/keygen", page(demo.ShowKeygen), Anyone, 0, revalidate},
			{post, "/demo/keygen", page(demo.CalculateKey), Anyone, fields, noStore},
			{get, "/demo/hps", page(p.Hosted.Show), Anyone, 0, revalidate},
			{post, "/demo/hps", page(form(p.Hosted.Sign)), Anyone, fields, noStore},
			{get, "/demo/hps/{id}", page(p.Hosted.Show), Anyone, 0, revalidate}, // every id is the same page (ROUTE-09)
			{post, "/demo/hps/{id}/notify", call(p.Hosted.Notify), Anyone, fields, noStore},
			{get, "/demo/bridge", page(p.Bridge.Show), Anyone, 0, revalidate},
			{get, "/demo/bridge/{file}", page(p.Bridge.Send), Anyone, 0, revalidate},
			{get, "/demo/qr", page(p.QR.Show), Anyone, 0, revalidate},
			{get, "/demo/qr/print", page(p.QR.Print), Anyone, 0, revalidate},
			{get, "/demo/qr/{client}.svg", page(p.QR.SVG), Anyone, 0, revalidate},
			{get, "/demo/qr/{client}.png", page(p.QR.PNG), Anyone, 0, revalidate},
			{get, "/crm/ws", page(p.Socket), Anyone, 0, revalidate},
		}},

		// Accounts and tokens.
		{session: true, routes: []Route{
			{get, "/signin", page(account.ShowSignIn), Anyone, 0, revalidate},
			{post, "/signin", page(p.Account.SignIn), Anyone, fields, revalidate},
			{get, "/signin/code", page(p.Account.ShowCode), Anyone, 0, noStore},
			{post, "/signin/code", page(form(p.Account.TakeCode)), Anyone, fields, noStore},
			{post, "/signin/passkey", page(form(p.Account.SignInByPasskey)), Anyone, fields, noStore},
			{post, "/signin/passkey/ask", call(p.Account.AskPasskey), Anyone, 0, noStore},
			{get, "/signup", page(account.ShowSignUp), Anyone, 0, revalidate},
			{post, "/signup", page(p.Account.SignUp), Anyone, fields, revalidate},
			{post, "/signout", page(p.Account.SignOut), Anyone, 0, noStore},
			{get, "/reset", page(p.Account.ShowReset), Anyone, 0, revalidate},
			{post, "/reset", page(form(p.Account.AskReset)), Anyone, fields, revalidate},
			{get, "/reset/{token}", page(p.Account.ShowNewPassword), Link, 0, noStore},
			{post, "/reset/{token}", page(p.Account.SetNewPassword), Link, fields, noStore},
			{get, "/first/{token}", page(p.Account.ShowFirst), Link, 0, noStore},
			{post, "/first/{token}", page(p.Account.MakeFirst), Link, fields, noStore},
			{get, "/join/{token}", page(p.Account.ShowJoin), Link, 0, noStore},
			{post, "/join/{token}", page(p.Account.Join), Link, fields, noStore},
			{get, "/verify/{token}", page(p.Account.ShowVerify), Guest, 0, noStore},
			{post, "/verify/{token}", page(p.Account.Verify), Guest, tap, noStore},
			{get, "/account", page(p.Account.ShowAccount), Self, 0, noStore},
			{post, "/account", page(form(p.Account.ChangeAccount)), Self, fields, noStore},
			{get, "/account/two-step", page(p.Account.ShowTwoStep), Self, 0, noStore},
			{post, "/account/two-step", provable(form(p.Account.ChangeTwoStep)), Self, fields, noStore},
			{get, "/account/passkeys", page(p.Account.ShowPasskeys), Self, 0, noStore},
			{post, "/account/passkeys", provable(form(p.Account.ChangePasskeys)), Self, fields, noStore},
			{post, "/account/passkeys/ask", call(p.Account.AskProof), Self, 0, noStore},
			{get, "/account/security", page(p.Account.ShowSecurity), Self, 0, noStore},
			{get, "/account/data", page(p.Account.ShowData), Own, 0, noStore},
			{post, "/account/data", provable(form(p.Account.ChangeData)), Own, fields, noStore},
			{post, "/account/data/copy", proved(form(p.Account.SendCopy)), Own, tap, noStore},
			{get, "/onboarding/tokengen/{docId}", page(p.TokenGen.ShowToken), Link, 0, noStore},
			{post, "/onboarding/tokengen/{docId}", p.TokenGen.Generate(s), Link, fields, noStore},
		}},
	}
}

// customerRoutes returns the routes for customers, programs and operators.
func (p Pages) customerRoutes(s *web.Responder) []group {
	page, call := s.Page, s.API
	push := func(h web.HandlerFunc) http.HandlerFunc { return p.Push.Answer(s, h) }
	return []group{
		// Customers are anonymous, so these routes load no session.
		{routes: []Route{
			{get, "/pos/{client}", page(p.POS.ShowMenu), Anyone, 0, revalidate},
			{post, "/pos/{client}", page(form(p.POS.ChangeMenu)), Anyone, long, revalidate},
			{get, "/pos/{client}/order", page(p.POS.ShowOrder), Anyone, 0, revalidate},
			{post, "/pos/{client}/order", page(form(p.POS.ChangeOrder)), Anyone, long, revalidate},
			{get, "/pos/{client}/item/{id}", page(p.POS.ShowItem), Anyone, 0, revalidate},
			{post, "/pos/{client}/item/{id}", page(form(p.POS.AddItem)), Anyone, long, revalidate},
			{get, "/pos/{client}/demo", page(p.Pay.ShowDemo), Anyone, 0, noStore},
			{post, "/pos/{client}/demo", page(p.Pay.PayDemo), Anyone, fields, noStore},
			{post, "/pos/{client}/demo/retry", page(p.Pay.RetryDemo), Anyone, 0, noStore},
			{get, "/pos/{client}/{id}", page(p.Pay.ShowPayment), Link, 0, noStore}, // also where customers return from 3-D Secure
			{post, "/pos/{client}/{id}", page(p.Pay.PayByCard), Link, fields, noStore},
			{get, "/pos/{client}/{id}/events", page(p.Pay.ShowEvents), Link, 0, noStore},
			{post, "/pos/{client}/{id}/retry", page(p.Pay.Retry), Link, 0, noStore},
			{post, "/pos/{client}/{id}/push", page(p.Pay.AttachPush), Link, fields, noStore},

			{get, "/receipt/verify", page(p.Receipt.CheckReceipt), Anyone, 0, noStore},
			{post, "/receipt/verify", page(p.Receipt.CheckClosing), Anyone, long, noStore},
			{get, "/receipt/key.pem", page(p.Receipt.SendKey), Anyone, 0, byHandler},
			{get, "/receipt/{token}", page(p.Receipt.ShowReceipt), Link, 0, noStore},
			{get, "/receipt/{token}/code.svg", page(p.Receipt.SendCode), Link, 0, noStore},
			{get, "/receipt/{token}/receipt.txt", page(p.Receipt.SendText), Link, 0, noStore},
			{get, "/receipt/{token}/receipt.sig", page(p.Receipt.SendSignature), Link, 0, noStore},
			{post, "/receipt/{token}/resend", page(form(p.Receipt.SendAgain)), Link, tap, noStore},
			{post, "/receipt/{token}/send", page(form(p.Receipt.SendTo)), Link, tap, noStore},
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
			{get, "/api/pos/{client}", call(p.API.ShowShop), Anyone, 0, noStore},
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

		// Operators, and answers that are not pages. Other listeners serve /metrics and /debug/pprof (FORECOURT_ADMIN_ADDR, in
		// cmd/forecourt/admin.go) and the calls of the built-in gateway, such as /sandbox/payout (sandbox/api.go).
		{routes: []Route{
			{get, "/robots.txt", site.ShowRobots, Anyone, 0, public},
			{get, "/healthz", site.Healthy, Anyone, 0, byHandler},
			{get, "/readyz", call(p.Site.Ready), Anyone, 0, noStore},
			{get, "/status", page(p.Site.ShowStatus), Anyone, 0, noStore}, // loads no session, and so needs no database
			{"", "/static/*", static.Handler().ServeHTTP, Anyone, 0, byHandler},
			{get, "/.well-known/apple-developer-merchantid-domain-association", p.Apple, Anyone, 0, byHandler}, // where Apple verifies a domain
			{"", "/.well-known/*", http.NotFound, Nobody, 0, byHandler},
			{"", "/sw.js/*", http.NotFound, Nobody, 0, byHandler},
			{"", "/sandbox/*", p.Sandbox, Anyone, free, byHandler}, // with the built-in gateway: sandbox/hosted.go lists its pages
		}},
		{session: true, routes: []Route{
			{get, "/dev/ui", page(demo.ShowComponents), InDemo, 0, revalidate},
			{get, "/dev/outbox", page(p.Outbox.ListMails), InDemo, 0, revalidate}, // mails hold links to new passwords
			{get, "/dev/outbox/{id}", page(p.Outbox.ShowMail), InDemo, 0, revalidate},
			{get, "/dev/outbox/{id}/html", page(p.Outbox.ShowHTML), InDemo, 0, revalidate},
			{get, "/dev/outbox/{id}/file", page(p.Outbox.SendFile), InDemo, 0, revalidate},
		}},
	}
}
