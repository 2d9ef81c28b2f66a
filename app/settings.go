package app

import (
	"cmp"
	"net/url"
	"time"

	"forecourt/handlers/demo"
	"forecourt/handlers/pay"
	"forecourt/handlers/web"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/push"
	"forecourt/internal/site/legal"
)

// Settings are what an operator sets of a site. Their tags are those of the program's settings, which cmd/forecourt/settings.go explains.
type Settings struct {
	// TrustedProxies may say where a request came from.
	TrustedProxies web.Proxies `group:"The site" name:"TRUSTED_PROXIES" type:"networks" unset:"none"`
	// EmbedOrigins may frame /merchant/admin and receive its merchant's key.
	EmbedOrigins []string `group:"The site" name:"EMBED_ORIGINS" type:"origins" unset:"own origin"`
	// Subdomains says whether all names below the site's use https, too; nil is no.
	Subdomains *bool `group:"The site" name:"HSTS_SUBDOMAINS" type:"onoff" unset:"off"`

	GatewayTimeout time.Duration     `group:"Gateway" name:"GATEWAY_TIMEOUT" default:"10s" min:"100ms" max:"2m"` // limits one call
	SettlementDays int               `group:"Gateway" name:"SETTLEMENT_DAYS" default:"5"`
	RedirectHosts  []string          `group:"Gateway" name:"REDIRECT_HOSTS" type:"hosts" unset:"the gateway's host"`
	OutboundAllow  []string          `group:"Gateway" name:"OUTBOUND_ALLOW" type:"hostports" unset:"none"`
	Descriptors    map[string]string `group:"Gateway" name:"DESCRIPTORS" type:"pairs" unset:"LAT*client"`

	Apple           gateway.AppleConfig `group:"Wallets" embed:""`
	AppleDomainFile []byte              `group:"Wallets" name:"APPLEPAY_DOMAIN_FILE" type:"domainfile" unset:"none"`
	Wallets         pay.Wallets         `group:"Wallets" embed:""`

	MailServer *mail.Server `group:"Mail" name:"SMTP_URL" type:"mailserver" unset:"outbox only" main:""` // nil keeps mails in the outbox
	MailFrom   string       `group:"Mail" name:"MAIL_FROM" type:"mailbox" unset:"no-reply@ and the public host"`
	MailBcc    string       `group:"Mail" name:"MAIL_BCC" type:"mailbox" unset:"none" help:"gets a copy of every mail to payers about money"`

	Hosted demo.Hosted `group:"Demo pages" embed:""`
	// BridgeURL and CRMSocketURL are services on the visitor's own computer.
	BridgeURL    *url.URL `group:"Demo pages" name:"BRIDGE_URL" type:"site" default:"http://localhost:3015"`
	CRMSocketURL *url.URL `group:"Demo pages" name:"CRM_SOCKET_URL" type:"socket" default:"wss://localhost:3017/"`

	// These three have their values from LIMITS, PUSH_FILE and BRAND_FILE. Push is off without a complete project.
	Limits   Limits         `kong:"-"`
	Push     push.Config    `kong:"-"`
	Provider legal.Provider `kong:"-"`
}

// Limits are what one caller may try. Zero fields take the defaults, except for Streams and Push.
type Limits struct {
	Payment        payment.Limits `embed:""`
	UnpaidOrders   int            `name:"orders" default:"120"`
	Invite         invite.Limits  `embed:""`
	Account        account.Limits `embed:""`
	Streams        int            `default:"40" help:"open pages per network that are updated at once; further ones poll"`
	Push           int            `default:"120" help:"browsers per network and hour that ask to be told when an order is ready"`
	WalletSessions int            `name:"wallet" default:"120" help:"Apple Pay sessions per business, network and hour"`
}

// Descriptor is how a shop's charge appears on a card statement (RCPT-06, RCPT-07).
func (s Settings) Descriptor(shop string) string {
	return cmp.Or(s.Descriptors[shop], "LAT*"+shop)
}
