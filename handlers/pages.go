package handlers

import (
	"net/http"

	"forecourt/handlers/account"
	"forecourt/handlers/api"
	"forecourt/handlers/compliance"
	"forecourt/handlers/demo"
	"forecourt/handlers/desk"
	"forecourt/handlers/forms"
	"forecourt/handlers/merchant"
	"forecourt/handlers/pay"
	"forecourt/handlers/pos"
	"forecourt/handlers/receipt"
	"forecourt/handlers/site"
	"forecourt/handlers/staff"
	"forecourt/handlers/web"
)

// Pages holds the handlers that the routes name. Package app builds them.
type Pages struct {
	Account             *account.Handler
	API                 *api.Handler
	Apple               http.HandlerFunc // nil: none
	BankQueue           staff.Queue
	Bridge              *demo.Bridge
	Compliance          *compliance.Handler
	ComplianceQueue     staff.Queue
	Desk                *desk.Handler
	DisputeQueue        staff.Queue
	Docs                web.HandlerFunc
	FormQueue           staff.Queue
	Forms               *forms.Handler
	GatewayAccountQueue staff.GatewayAccountQueue
	GoLiveQueue         staff.Queue
	Hosted              *demo.HostedPage
	Kitchen             *pos.Kitchen
	Merchant            *merchant.Handler
	Outbox              *demo.Outbox
	Holidays            staff.Holidays
	Pay                 *pay.Handler
	PaymentQueue        staff.Queue
	PayoutQueue         staff.Queue
	POS                 *pos.Handler
	Push                *api.Push
	QR                  *demo.QR
	Receipt             *receipt.Handler
	RefundQueue         staff.Queue
	Sandbox             http.HandlerFunc // nil: none
	Shortlink           *site.Shortlink
	Site                *site.Handler
	Socket              web.HandlerFunc
	StaffFees           staff.Fees
	StaffSite           *staff.Site
	TestGateway         *merchant.TestGateway
	TokenGen            *demo.Tokengen
	UnmatchedQueue      staff.Queue
}

// staffHome shows what waits in every queue.
func (p Pages) staffHome() staff.Home {
	return staff.Home{Businesses: p.GatewayAccountQueue, Queues: []staff.Queue{
		p.FormQueue, p.ComplianceQueue, p.GatewayAccountQueue.Queue, p.GoLiveQueue, p.PaymentQueue, p.RefundQueue, p.PayoutQueue, p.BankQueue,
		p.DisputeQueue, p.UnmatchedQueue,
	}}
}
