package main

import (
	"log/slog"
	"net/url"
	"time"

	"filippo.io/age"

	"forecourt/app"
	"forecourt/internal/kit/secret"
	"forecourt/ops/archive"
)

// settings are the environment variables that the program reads, one per line. Parsing, help, README.md, docs/settings.md and
// .env.example follow from them. The tags:
//
//	name     the variable
//	type     a kind in kinds.go, which defines the values; a plain string may be anything
//	default  its value when unset, or
//	unset    what happens when unset, here or in settingTexts
//	min, max bounds of numbers and durations
//	help     what it is for, here or in settingTexts
//	group    the heading above it
//	see      the page below docs that says more
//	main     marks the settings that most people need, which the README lists
type settings struct {
	siteSettings     `group:"The site"`
	databaseSettings `group:"Database and data folder"`
	archiveSettings  `group:"Archive of the built-in database"`
	gatewaySettings  `group:"Gateway"`
	app.Settings
	walletSettings `group:"Wallets"`
	watchSettings  `group:"Watching it run"`
	fileSettings   `group:"Limits, push messages and the provider"`
}

type siteSettings struct {
	Listen  []string      `name:"FORECOURT_ADDR" type:"listens" unset:"127.0.0.1:8080; with FORECOURT_DOMAIN, :443 :80"`
	Domains []string      `name:"FORECOURT_DOMAIN" type:"domains" unset:"off" see:"operations.md#https-without-a-proxy"`
	ACME    string        `name:"ACME_URL" type:"web" unset:"Let's Encrypt"`
	URLs    []*url.URL    `name:"FORECOURT_URL" type:"sites" unset:"from the domain or the address"`
	TLSCert string        `name:"TLS_CERT" unset:"off" help:"certificate file for https, read again when it changes; needs TLS_KEY"`
	TLSKey  string        `name:"TLS_KEY" unset:"off" help:"key file of TLS_CERT"`
	Drain   time.Duration `name:"FORECOURT_DRAIN" default:"0s" min:"0s" max:"1m"`
}

type databaseSettings struct {
	DatabaseURL       string `name:"DATABASE_URL" type:"postgres" unset:"the built-in database"`
	DatabaseListenURL string `name:"DATABASE_LISTEN_URL" type:"postgres" unset:"DATABASE_URL" see:"scaling.md"`
	Data              string `name:"FORECOURT_DATA" unset:"./data"`
	Secret            string `name:"FORECOURT_SECRET" type:"secret" unset:"generated, kept in the data folder"`
	Demo              *bool  `name:"FORECOURT_DEMO" type:"onoff"`
}

type archiveSettings struct {
	ArchiveTo        *archive.Place       `name:"ARCHIVE_TO" type:"archive" unset:"off" see:"operations.md#archive"`
	ArchiveRecipient *age.X25519Recipient `name:"ARCHIVE_RECIPIENT" type:"recipient" unset:"none" see:"operations.md#archive"`
}

type gatewaySettings struct {
	GatewayURL  string      `name:"GATEWAY_URL" type:"web" unset:"built-in sandbox, which takes live payments only in demo mode"`
	GatewayKey  secret.Text `name:"GATEWAY_KEY" unset:"the sandbox's" help:"bearer key for GATEWAY_URL, required with it"`
	GatewayID   string      `name:"GATEWAY_ID" type:"line" unset:"sandbox, or GATEWAY_URL" see:"operations.md#another-gateway"`
	PreviousURL string      `name:"GATEWAY_PREVIOUS_URL" type:"web" unset:"none" see:"operations.md#another-gateway"`
	PreviousKey secret.Text `name:"GATEWAY_PREVIOUS_KEY" unset:"none" help:"bearer key for GATEWAY_PREVIOUS_URL"`
	PreviousID  string      `name:"GATEWAY_PREVIOUS_ID" type:"line" unset:"GATEWAY_PREVIOUS_URL" help:"the GATEWAY_ID it had"`
}

type walletSettings struct {
	AppleCert string `name:"APPLEPAY_CERT" unset:"none"`
	AppleKey  string `name:"APPLEPAY_KEY" unset:"none" help:"key file of APPLEPAY_CERT"`
}

type watchSettings struct {
	AdminAddr        string            `name:"FORECOURT_ADMIN_ADDR" type:"listen" unset:"off" see:"operations.md"`
	LogLevel         slog.Level        `name:"LOG_LEVEL" default:"info" help:"lowest level that is logged: debug, info, warn or error"`
	Collector        *url.URL          `name:"OTEL_EXPORTER_OTLP_ENDPOINT" type:"collector" unset:"off" see:"operations.md#traces"`
	CollectorHeaders map[string]string `name:"OTEL_EXPORTER_OTLP_HEADERS" type:"headers" unset:"none"`
}

// fileSettings name values that are many and belong together.
type fileSettings struct {
	LimitPairs string `name:"LIMITS" unset:"what the table says" help:"name=number,… for the limits below"`
	PushFile   string `name:"PUSH_FILE" unset:"the demo's own"`
	BrandFile  string `name:"BRAND_FILE" unset:"neutral demo values" help:"JSON file with the values of the provider below, all of them text"`
}

// settingTexts are the texts that are too long for the tags above.
var settingTexts = map[string]string{ //nolint:gosec // texts about secrets
	"FORECOURT_ADDR": "listen address; port 0 takes a free one; a second address, after a space, redirects http to https",
	"FORECOURT_DOMAIN": "host names of the site, separated by commas, the first for links; it serves https and gets the certificates by " +
		"itself",
	"ACME_URL": "address of the ACME directory of the authority that issues certificates",
	"FORECOURT_URL": "public address, used in links; additional public origins follow after spaces; once it is set, " +
		"POSTs from any other origin on the internet are rejected",
	"TRUSTED_PROXIES":     "addresses or networks of proxies whose X-Forwarded-For is trusted",
	"FORECOURT_DRAIN":     "how long to keep serving at a stop while /readyz answers 503, so that a load balancer sends nothing new",
	"HSTS_SUBDOMAINS":     "on or off: with https, tell browsers to use it for every name below the site's, too",
	"EMBED_ORIGINS":       "space-separated origins that may frame /merchant/admin and receive its merchant's key",
	"DATABASE_URL":        "address of a PostgreSQL server, 14 or newer",
	"DATABASE_LISTEN_URL": "the same PostgreSQL past any pooler, for events; required if DATABASE_URL is a pooler",
	"FORECOURT_DATA": "folder of the built-in database, generated secrets and the sandbox's ledger; when root runs it and PostgreSQL's " +
		"user cannot reach ./data, /var/lib/forecourt",
	"FORECOURT_SECRET":     "32 bytes or more, from which keys are derived; required with DATABASE_URL",
	"FORECOURT_DEMO":       "on or off: load the demo data at start; off also disables demo data loaded before",
	"FORECOURT_DEMO unset": "on with the built-in database, a loopback listener and a loopback or no FORECOURT_URL, else off",
	"ARCHIVE_TO": "folder on another machine's disk, or s3://HOST/BUCKET/PREFIX, that gets a copy of the built-in database within a " +
		"minute of each change",
	"ARCHIVE_RECIPIENT":    "whom the archive is sealed to, required with it: what forecourt archive-key FILE prints; a restore needs FILE",
	"GATEWAY_URL":          "address of the payments gateway; http only on this machine",
	"GATEWAY_ID":           "the gateway's name, stored with each attempt and refund, so that each is asked where it was sent",
	"GATEWAY_PREVIOUS_URL": "the previous gateway, asked until every payment sent to it has an outcome",
	"GATEWAY_TIMEOUT":      "how long one call to the gateway may take",
	"SETTLEMENT_DAYS":      "days after which a charge, refund or lost dispute is listed if no payout contains it",
	"REDIRECT_HOSTS":       "hosts to which the gateway may redirect a customer",
	"OUTBOUND_ALLOW":       "host:port pairs that notifications and push messages may reach without https on a public address",
	"DESCRIPTORS":          "client=TEXT,…: names on card statements",
	"APPLEPAY_CERT":        "merchant identity file; with it, and without APPLEPAY_URL, Apple is called directly",
	"APPLEPAY_DOMAIN_FILE": "file served at /.well-known/apple-developer-merchantid-domain-association",
	"GOOGLEPAY_GATEWAY":    "Google's name for the payments gateway; live payments need a real one",
	"GOOGLEPAY_SCRIPT_URL": "the script behind the Google Pay button",
	"PUSH_FILE":            "JSON file with the values of the push messages below, all of them text",
	"address":              "declines per hour from one network, if they are more than half of its payments; at least 30",
	"merchant": "declines per hour of a business, if they are more than half of its payments, after which networks with a " +
		"decline there have to wait",
	"orders": "unpaid orders per hour of one network at a shop; beyond them the oldest ends that nobody looks at",
	"signin_overall": "failed sign-ins of one account in an hour from all networks; browsers where its owner signed in before " +
		"still get in",
	"SMTP_URL": "mail server, smtp://user:password@host:port or smtps://…, needed outside demo mode; without one mails stay in the " +
		"outbox, shown at /dev/outbox in demo mode",
	"MAIL_FROM":                   "sender of mails, with or without a name",
	"project_id":                  "project that sends push messages; they are off unless this and the next three are set",
	"vapid_public":                "VAPID public key in base64url; needs vapid_private",
	"sync_url":                    "address that is told who signs in (POST) and out (DELETE), with api_key as bearer token",
	"BRIDGE_URL":                  "the terminal service that /demo/bridge calls",
	"HPS_URL":                     "hosted payment page that the demo posts to",
	"CRM_SOCKET_URL":              "the local secure websocket that /crm/ws tries",
	"FORECOURT_ADMIN_ADDR":        "second listen address, for operators only: /metrics, /debug/pprof",
	"OTEL_EXPORTER_OTLP_ENDPOINT": "collector for traces, OTLP over HTTP, such as http://localhost:4318",
	"OTEL_EXPORTER_OTLP_HEADERS":  "NAME=VALUE,… sent with traces; OpenTelemetry's library reads OTEL_TRACES_SAMPLER and the like itself",
	"au_address":                  "its office in Australia",
	"uk_address":                  "its office in the United Kingdom",
	"licence":                     "number of its Australian Financial Services Licence, on every page",
	"support_mail":                "its address for support, on every page and in letters",
}
