package handlers

import (
	"net/http"

	"forecourt/handlers/account"
	"forecourt/handlers/api"
	"forecourt/handlers/compliance"
	"forecourt/handlers/demo"
	"forecourt/handlers/desk"
	"forecourt/handlers/docs"
	"forecourt/handlers/forms"
	"forecourt/handlers/kitchen"
	"forecourt/handlers/merchant"
	"forecourt/handlers/pay"
	"forecourt/handlers/pos"
	"forecourt/handlers/receipt"
	"forecourt/handlers/site"
	"forecourt/handlers/staff"
	"forecourt/handlers/tokengen"
)

// Pages holds the handlers that the routes name. internal/app builds them.
type Pages struct {
	Account        *account.Handler
	AccountDesk    staff.AccountDesk
	API            *api.Handler
	Apple          http.HandlerFunc // nil: none
	Bridge         *demo.Bridge
	Compliance     *compliance.Handler
	ComplianceDesk staff.Desk
	Desk           *desk.Handler
	DisputeDesk    staff.Desk
	Docs           *docs.Handler
	FormDesk       staff.Desk
	Forms          *forms.Handler
	Hosted         *demo.HostedPage
	Kitchen        *kitchen.Handler
	LaunchDesk     staff.Desk
	Merchant       *merchant.Handler
	Outbox         *demo.Outbox
	Pay            *pay.Handler
	PaymentDesk    staff.Desk
	PayoutDesk     staff.Desk
	POS            *pos.Handler
	Push           *api.Push
	QR             *demo.QR
	Receipt        *receipt.Handler
	RefundDesk     staff.Desk
	Sandbox        http.HandlerFunc // nil: none
	Shortlink      *site.Shortlink
	Site           *site.Handler
	SiteDesk       *staff.Site
	Socket         *demo.Socket
	TestGateway    *merchant.TestGateway
	TokenGen       *tokengen.Handler
}
