package handlers

import (
	"forecourt/handlers/desk"
	"forecourt/handlers/forms"
	"forecourt/handlers/merchant"
	"forecourt/handlers/web"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/shop"
)

// teamRoutes returns the routes for merchants, the teams of shops, and staff.
func (p Pages) teamRoutes(s *web.Responder) []group {
	w := p.wrap(s)
	page, call, proved, provable := w.page, w.call, w.proved, w.provable
	return []group{
		// Merchants: the dashboard, which other sites may frame.
		{session: true, first: p.Merchant.Framed, routes: []Route{
			{get, "/merchant/admin", page(p.Merchant.Show), Asked, 0, noStore},
			{post, "/merchant/admin", page(form(p.Merchant.Save)), Own, fields, noStore},
			{get, "/merchant/admin/width.css", page(merchant.ShowWidth), Anyone, 0, hour},
			{get, "/merchant/admin/{uuid}/products", page(p.Merchant.ShowProducts), Record, 0, noStore},
			{post, "/merchant/admin/{uuid}/products", page(p.Merchant.SaveProducts), Record, fields, noStore},
			{get, "/merchant/admin/{uuid}/calls", page(p.Merchant.ShowCalls), Record, 0, noStore},
			{post, "/merchant/admin/{uuid}/secret", proved(p.Merchant.Reveal), Record, fields, noStore},
			{post, "/merchant/admin/{uuid}/rotate", proved(p.Merchant.Rotate), Record, fields, noStore},
			{post, "/merchant/admin/{uuid}/admins", proved(p.Merchant.Invite), Record, fields, noStore},
			{get, "/kept/{id}", page(p.Account.ShowKept), Own, 0, noStore}, // here, because the dashboard asks for proofs in its frame
			{post, "/kept/{id}", page(form(p.Account.Discard)), Own, tap, noStore},
		}},
		{session: true, routes: []Route{
			{get, "/merchant/join/{token}", page(p.Merchant.ShowInvite), Guest, 0, noStore},
			{post, "/merchant/join/{token}", page(p.Merchant.Join), Guest, fields, noStore},
			{post, "/api/create", call(p.API.CreateMerchant), Own, long, noStore},
		}},

		// Merchants: forms and records. An unknown form answers 404 without asking anybody to sign in.
		{session: true, first: forms.Known(s), routes: []Route{
			{get, "/form/{id}", page(p.Forms.ShowForm), Own, 0, noStore},
			{post, "/form/{id}", page(p.Forms.LetsGo), Own, long, noStore},
			{get, "/form/{id}/check", page(p.Forms.ShowCheck), Own, 0, noStore},
			{post, "/form/{id}/check", page(form(p.Forms.Submit)), Own, long, noStore},
			{get, "/form/{id}/{step}", page(p.Forms.ShowStep), Own, 0, noStore},
			{post, "/form/{id}/{step}", page(p.Forms.SaveStep), Own, long, noStore},
		}},
		{session: true, routes: []Route{
			{get, "/compliance/{id}", page(p.Compliance.ShowRecord), Record, 0, noStore},
			{post, "/compliance/{id}", page(p.Compliance.Post), Record, upload, noStore},
			{get, "/compliance/{id}/agreement.pdf", page(p.Compliance.SendAgreement), Record, 0, noStore},
			{get, "/compliance/{id}/{number}/{side}", page(p.Compliance.SendPicture), Record, 0, noStore},
			{get, "/api/compliance/{id}", call(p.Compliance.TellRecord), Record, 0, noStore},
		}},

		// Staff.
		{session: true, routes: []Route{
			{get, "/staff", page(p.staffHome().Show), Staff, 0, noStore},
			{get, "/staff/forms", page(p.FormQueue.ShowQueue), Staff, 0, noStore},
			{get, "/staff/forms/{reference}", page(p.FormQueue.ShowCase), Staff, 0, noStore},
			{post, "/staff/forms/{reference}", page(p.FormQueue.DecideCase), Staff, reason, noStore},
			{get, "/staff/disputes", page(p.DisputeQueue.ShowQueue), Staff, 0, noStore},
			{get, "/staff/disputes/{id}", page(p.DisputeQueue.ShowCase), Staff, 0, noStore},
			{get, "/staff/payments", page(p.PaymentQueue.ShowQueue), Staff, 0, noStore},
			{get, "/staff/payments/{id}", page(p.PaymentQueue.ShowCase), Staff, 0, noStore},
			{post, "/staff/payments/{id}", provable(p.PaymentQueue.DecideCase), Staff, reason, noStore},
			{get, "/staff/payouts", page(p.PayoutQueue.ShowQueue), Staff, 0, noStore},
			{get, "/staff/payouts/{id}", page(p.PayoutQueue.ShowCase), Staff, 0, noStore},
			{post, "/staff/payouts/{id}", provable(p.PayoutQueue.DecideCase), Staff, reason, noStore},
			{get, "/staff/unmatched", page(p.UnmatchedQueue.ShowQueue), Staff, 0, noStore},
			{get, "/staff/unmatched/{id}", page(p.UnmatchedQueue.ShowCase), Staff, 0, noStore},
			{post, "/staff/unmatched/{id}", provable(p.UnmatchedQueue.DecideCase), Staff, reason, noStore},
			{get, "/staff/refunds", page(p.RefundQueue.ShowQueue), Staff, 0, noStore},
			{get, "/staff/refunds/{id}", page(p.RefundQueue.ShowCase), Staff, 0, noStore},
			{post, "/staff/refunds/{id}", provable(p.RefundQueue.DecideCase), Staff, reason, noStore},
			{get, "/staff/accounts", page(p.GatewayAccountQueue.ShowQueue), Staff, 0, noStore},
			{get, "/staff/accounts/{client}", page(p.GatewayAccountQueue.ShowAccounts), Staff, 0, noStore},
			{post, "/staff/accounts/{client}", proved(p.GatewayAccountQueue.ChangeAccounts), Staff, fields, noStore},
			{get, "/staff/compliance", page(p.ComplianceQueue.ShowQueue), Staff, 0, noStore},
			{get, "/staff/compliance/{id}/{number}", page(p.ComplianceQueue.ShowCase), Staff, 0, noStore},
			{post, "/staff/compliance/{id}/{number}", page(p.ComplianceQueue.DecideCase), Staff, reason, noStore},
			{get, "/staff/live", page(p.GoLiveQueue.ShowQueue), Staff, 0, noStore},
			{get, "/staff/live/{client}", page(p.GoLiveQueue.ShowCase), Staff, 0, noStore},
			{post, "/staff/live/{client}", proved(p.GoLiveQueue.DecideCase), Staff, reason, noStore},
			{get, "/staff/site", page(p.StaffSite.Show), Staff, 0, noStore},
			{get, "/staff/site/nav/{id}", page(p.StaffSite.Entries.Show), Staff, 0, noStore},
			{post, "/staff/site/nav/{id}", page(p.StaffSite.Entries.Change), Staff, fields, noStore},
			{get, "/staff/site/slides/{id}", page(p.StaffSite.Slides.Show), Staff, 0, noStore},
			{post, "/staff/site/slides/{id}", page(p.StaffSite.Slides.Change), Staff, upload, noStore},
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
			{post, "/desk/{client}/payments/limits", proved(form(p.Desk.ChangeLimits)), Owner, fields, noStore},
			{get, "/desk/{client}/payments/{id}", page(p.Desk.ShowPayment), Team, 0, noStore},
			{get, "/desk/{client}/payments/{id}/refund", page(p.Desk.ShowRefund), Refunder, 0, noStore},
			{post, "/desk/{client}/payments/{id}/refund", provable(form(p.Desk.MakeRefund)), Refunder, fields, noStore},
			{get, "/desk/{client}/payments/{id}/payer", page(p.Desk.ShowPayer), Editor, 0, noStore},
			{post, "/desk/{client}/payments/{id}/payer", proved(p.Desk.ErasePayer), Editor, tap, noStore},
			{get, "/desk/{client}/notices", page(p.Desk.ShowNotices), Team, 0, noStore},
			{post, "/desk/{client}/notices", page(form(p.Desk.ChangeNotices)), Team, fields, noStore},
			{get, "/desk/{client}/payouts", page(p.Desk.ShowPayouts), Team, 0, noStore},
			{get, "/desk/{client}/payouts/owed", page(p.Desk.ShowOwed), Team, 0, noStore},
			{get, "/desk/{client}/payouts/{id}", page(p.Desk.ShowPayout), Team, 0, noStore},
			{get, "/desk/{client}/disputes", page(p.Desk.ShowDisputes), Team, 0, noStore},
			{get, "/desk/{client}/disputes/{id}", page(p.Desk.ShowDispute), Team, 0, noStore},
			{get, "/desk/{client}/team/access", page(p.Desk.ShowAccess), Hirer, 0, noStore},
			{get, "/desk/{client}/exports", page(p.Desk.ShowExports), Bookkeeper, 0, noStore},
			{post, "/desk/{client}/exports", page(form(p.Desk.Export)), Bookkeeper, fields, noStore},
			{get, "/desk/{client}/exports/{id}", page(p.Desk.ShowExport), Bookkeeper, 0, noStore},
			{get, "/desk/{client}/exports/{id}/file", page(p.Desk.SendExport), Bookkeeper, 0, noStore},
			{get, "/desk/{client}/closings", page(p.Desk.ShowClosings), Team, 0, noStore},
			{post, "/desk/{client}/closings", page(form(p.Desk.CloseDay)), Bookkeeper, tap, noStore},
			{get, "/desk/{client}/closings/{no}", page(p.Desk.ShowClosing), Team, 0, noStore},
			{get, "/desk/{client}/closings/{no}/closing.json", page(p.Desk.SendClosing), Team, 0, noStore},
			{get, "/desk/{client}/closings/{no}/closing.pdf", page(p.Desk.PrintClosing), Team, 0, noStore},
			{get, "/desk/{client}/live", page(p.Desk.ShowLive), Team, 0, noStore},
			{post, "/desk/{client}/live", provable(form(p.Desk.ChangeLive)), Owner, reason, noStore},
			{get, "/desk/{client}/shop", page(p.Desk.ShowDetails), Editor, 0, noStore},
			{post, "/desk/{client}/shop", page(p.Desk.SaveDetails), Editor, upload, noStore},
			{get, "/desk/{client}/menu", page(p.Desk.ShowMenu), Editor, 0, noStore},
			{post, "/desk/{client}/menu", page(form(p.Desk.ArrangeMenu)), Editor, fields, noStore},
			{get, "/desk/{client}/menu/category/{id}", page(p.Desk.Category().Show), Editor, 0, noStore},
			{post, "/desk/{client}/menu/category/{id}", page(p.Desk.Category().Save), Editor, fields, noStore},
			{get, "/desk/{client}/menu/item/{id}", page(p.Desk.Item().Show), Editor, 0, noStore},
			{post, "/desk/{client}/menu/item/{id}", page(p.Desk.Item().Save), Editor, upload, noStore},
			{get, "/desk/{client}/menu/group/{id}", page(p.Desk.Group().Show), Editor, 0, noStore},
			{post, "/desk/{client}/menu/group/{id}", page(p.Desk.Group().Save), Editor, menu.MostGroupForm, noStore},
			{get, "/desk/{client}/menu/publish", page(p.Desk.ShowPublish), Editor, 0, noStore},
			{post, "/desk/{client}/menu/publish", page(form(p.Desk.PublishMenu)), Editor, tap, noStore},
			{get, "/desk/{client}/menu/versions", page(p.Desk.ShowVersions), Editor, 0, noStore},
			{post, "/desk/{client}/menu/versions", page(form(p.Desk.BringBack)), Editor, tap, noStore},
			{get, "/desk/{client}/menu/soldout", page(p.Kitchen.ShowSoldOut), Editor, 0, noStore},
			{post, "/desk/{client}/menu/soldout", page(form(p.Kitchen.ChangeSoldOut)), Editor, tap, noStore},
			{get, "/desk/{client}/menu/import", page(p.Desk.ShowImport), Editor, 0, noStore},
			{post, "/desk/{client}/menu/import", page(p.Desk.TakeFile), Editor, table, noStore},
			{get, "/desk/{client}/menu/export/menu.csv", page(p.Desk.SendMenu), Editor, 0, noStore},
			{get, "/desk/{client}/menu/preview", page(p.POS.ShowPreview), Editor, 0, noStore},
			{post, "/desk/{client}/menu/preview", page(p.POS.IgnorePreview), Editor, long, noStore},
			{get, "/desk/{client}/screens", page(p.Desk.ShowScreens), Hirer, 0, noStore},
			{post, "/desk/{client}/screens", provable(form(p.Desk.ChangeScreens)), Hirer, fields, noStore},
			{get, "/desk/{client}/team", page(p.Desk.ShowTeam), Hirer, 0, noStore},
			{post, "/desk/{client}/team", proved(form(p.Desk.ChangeTeam)), Hirer, fields, noStore},
			{get, "/desk/{client}/team/{account}", page(p.Desk.ShowMember), Hirer, 0, noStore},
			{post, "/desk/{client}/team/{account}", proved(form(p.Desk.ChangeMember)), Hirer, fields, noStore},
			{get, "/desk/{client}/tables", page(p.Desk.ShowTables), Editor, 0, noStore},
			{post, "/desk/{client}/tables", page(form(p.Desk.SaveTables)), Editor, shop.MostTableForm, noStore},
			{get, "/desk/{client}/tables/code", page(p.Desk.ShowCode), Editor, 0, noStore},
			{get, "/desk/{client}/tables/code.svg", page(p.Desk.SendCode), Editor, 0, noStore},
			{get, "/desk/{client}/tables/code.png", page(p.Desk.SendCode), Editor, 0, noStore},
			{get, "/desk/{client}/tables/print", page(p.Desk.ShowPrint), Editor, 0, noStore},
			{get, "/desk/{client}/links", page(p.Desk.ShowLinks), Team, 0, noStore},
			{get, "/desk/{client}/links/new", page(p.Desk.ShowNewLink), Editor, 0, noStore},
			{post, "/desk/{client}/links/new", page(form(p.Desk.MakeLink)), Editor, fields, noStore},
			{get, "/desk/{client}/links/many", page(p.Desk.ShowManyLinks), Editor, 0, noStore},
			{post, "/desk/{client}/links/many", page(p.Desk.MakeManyLinks), Editor, table, noStore},
			{get, "/desk/{client}/links/many/{batch}/links.csv", page(p.Desk.SendLinkBatch), Team, 0, noStore},
			{get, "/desk/{client}/links/{id}", page(p.Desk.ShowLink), Team, 0, noStore},
			{post, "/desk/{client}/links/{id}", page(form(p.Desk.ChangeLink)), Editor, fields, noStore},
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
	}
}
