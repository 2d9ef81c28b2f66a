package main

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/account"
	"forecourt/internal/invite"
	"forecourt/internal/mail"
	"forecourt/internal/payment"
	"forecourt/internal/provider"
	"forecourt/internal/push"
	"forecourt/internal/secret"
	"forecourt/internal/web"
)

// config is every setting, read once.
type config struct {
	addr           string
	adminAddr      string   // "": off
	url            *url.URL // nil: from the address
	databaseURL    string   // "": embedded
	databaseListen string   // "": databaseURL
	replicaURL     string   // "": databaseURL
	data           string   // "": chosen
	secret         string   // "": generated
	demo           bool
	gatewayURL     string // "": built-in sandbox
	gatewayKey     secret.Text
	gatewayTimeout time.Duration
	redirectHosts  []string
	hostedURL      string   // "": the gateway's
	checkoutScript string   // "": the gateway's
	jqueryScript   string   // "": the gateway's
	outboundAllow  []string // host:port pairs
	wallets        walletConfig
	embedOrigins   []string // none: the site's own
	descriptors    map[string]string
	tlsCert        string
	tlsKey         string
	proxies        web.Proxies
	limits         payment.Limits
	inviteLimits   invite.Limits
	accountLimits  account.Limits
	mailServer     *mail.Server // nil: outbox only
	mailFrom       string       // "": the provider at the public host
	mailBcc        string       // of what payers are told of money
	push           push.Config
	streams        int      // event streams open at once for one address
	bridgeURL      *url.URL // an origin
	crmSocketURL   *url.URL // wss
	logLevel       slog.Level
	drain          time.Duration // how long a stop tells a load balancer before it begins
	provider       provider.Provider
	collector      *url.URL // of traces; nil: none
	// collectorHeaders go with each request to the collector.
	collectorHeaders map[string]string
	traces           hooks // made by serve
	beside           bool  // a command, which may run beside a program that serves from the same data folder
}

// settings is what serve --help prints, in its order.
const settings = `Settings (environment variables; nothing has to be set):

  FORECOURT_ADDR     listen address, default 127.0.0.1:8080; port 0 takes a free one
  FORECOURT_ADMIN_ADDR
                     second listen address for operators: /metrics, /debug/pprof; default off
  FORECOURT_URL      public address, used in links; default from the listen address
  DATABASE_URL       a PostgreSQL (14 or newer); default is the one inside this program
  DATABASE_LISTEN_URL
                     the same PostgreSQL without a pooler in between, for events; default
                     DATABASE_URL
  DATABASE_REPLICA_URL
                     a read replica of it that menus are read from; default DATABASE_URL
  FORECOURT_DATA     folder of the database inside and of generated secrets, default ./data
  FORECOURT_SECRET   32 bytes or more that keys are derived from; generated and kept in
                     the data folder, required with DATABASE_URL
  FORECOURT_DEMO     on or off: load the demo data at start; default on with the database
                     inside, else off
  GATEWAY_URL        the payments gateway, default is the built-in sandbox
  GATEWAY_KEY        bearer key sent to the gateway, default is the sandbox's
  GATEWAY_TIMEOUT    of one call to the gateway, default 10s
  REDIRECT_HOSTS     hosts that the gateway may send a customer to, default its own
  HPS_URL            hosted payment page of the demo, default is the sandbox's (with GATEWAY_URL,
                     /hps there)
  CHECKOUT_SCRIPT_URL
                     script of the embedded checkout, default is the sandbox's
  JQUERY_URL         jQuery for that script, default is the little of it that the sandbox's needs
  OUTBOUND_ALLOW     host:port pairs that notifications and push messages may reach although
                     they are not https on a public address
  APPLEPAY_URL       payment service that validates merchants with Apple, default GATEWAY_URL
  APPLEPAY_MERCHANT_ID
                     merchant identifier that Apple knows, default each client's code
  APPLEPAY_CERT, APPLEPAY_KEY
                     files of the merchant identity: shown to APPLEPAY_URL or, without one,
                     to Apple itself, which is then called directly
  APPLEPAY_DOMAIN_FILE
                     file that Apple looks for at /.well-known/apple-developer-merchantid-
                     domain-association
  GOOGLEPAY_MERCHANT_ID
                     merchant id that Google knows; live payments need one
  GOOGLEPAY_GATEWAY  Google's name for the payments gateway, default example: its test gateway
  GOOGLEPAY_SCRIPT_URL
                     Google's script, default https://pay.google.com/gp/p/js/pay.js
  DESCRIPTORS        client=TEXT,…: fixed names on statements; default LAT*client
  TRUSTED_PROXIES    addresses or networks whose X-Forwarded-For is believed
  LIMIT_TRANSACTION  declines of one transaction before it cannot be paid, default 5
  LIMIT_CARD         declines an hour of one card from one address, default 3
  LIMIT_ADDRESS      declines an hour from one address, default and least 30
  LIMIT_MERCHANT     declines an hour of a business, more than half of its payments,
                     before addresses that had one there have to wait; default 30
  LIMIT_TOKEN        wrong emails or secret keys in 15 minutes of one token page, default 5
  LIMIT_BEARER       wrong bearer tokens an hour from one address, default 20
  LIMIT_STREAMS      pages of one address that hear of changes at once, default 40; more of
                     them ask from time to time
  LIMIT_PUSH         browsers of one address that ask to be told in an hour, default 120
  LIMIT_SIGNIN_ACCOUNT
                     failed sign-ins of one account in 15 minutes, default 5
  LIMIT_SIGNIN_ADDRESS
                     failed sign-ins and sign-ups from one address in an hour, default 20
  SMTP_URL           smtp://user:password@host:port, or smtps://: the mail server; unset keeps
                     mails in the outbox, shown at /dev/outbox in demo mode
  MAIL_FROM          sender of mails, "Name <address>"; default no-reply at the public host
  MAIL_BCC           address that gets a copy of what payers are told of money, default none
  PUSH_PROJECT_ID, PUSH_API_KEY, PUSH_APP_ID, PUSH_SENDER_ID
                     the project that sends push messages; made up for the demo, else
                     without all four of them no messages are sent
  PUSH_VAPID_PUBLIC, PUSH_VAPID_PRIVATE
                     its keys, base64url; default made of FORECOURT_SECRET
  PUSH_SYNC_URL      address that hears who signs in (POST) and out (DELETE), with
                     PUSH_API_KEY as bearer token; default none
  EMBED_ORIGINS      space-separated origins, https://HOST, that may frame /merchant/admin and hear
                     of the merchant's key; default the site's own
  BRIDGE_URL         the terminal service that the demo calls, default http://localhost:3015
  CRM_SOCKET_URL     the local secure websocket that /crm/ws tries, default
                     wss://localhost:3017/
  FORECOURT_DRAIN    how long a stop goes on serving while /readyz answers 503, so that a load
                     balancer sends nothing new; default 0s, at most 1m
  LOG_LEVEL          debug, info, warn or error: the least that is logged, default info
  OTEL_EXPORTER_OTLP_ENDPOINT
                     collector of traces, OTLP over HTTP, such as http://localhost:4318;
                     default off
  OTEL_EXPORTER_OTLP_HEADERS
                     NAME=VALUE,… sent with them. OpenTelemetry's library reads its other
                     variables, OTEL_*, itself
  TLS_CERT, TLS_KEY  files to serve https with, default off

  Who runs the site; the defaults are those of a provider that does not exist:
  BRAND_NAME, BRAND_LOGO
                     its name, and a path of this site or a data:image/… for its logo
  BRAND_AU_ADDRESS, BRAND_AU_PHONE, BRAND_AU_TOLL_FREE
                     the Australian office
  BRAND_UK_ADDRESS, BRAND_UK_PHONE, BRAND_UK_FAX
                     the office in the United Kingdom
  BRAND_LICENCE      number of the Australian Financial Services Licence
  BRAND_YEAR         of the copyright lines, default 2025
  BRAND_PRIVACY_URL, BRAND_TERMS_URL, BRAND_GUIDE_URL
                     documents elsewhere; default /privacy, /terms and /guide.pdf here
  BRAND_SUPPORT_MAIL where people may write to
`

// sandboxKey is the key of a sandbox that nobody gave another one. It guards play money.
const sandboxKey = "sandbox"

// settingError names the environment variable whose value is wrong.
type settingError struct{ name, problem string }

func (e *settingError) Error() string { return e.name + ": " + e.problem }

func readConfig(getenv func(string) string) (config, error) {
	c := config{
		addr: or(getenv("FORECOURT_ADDR"), "127.0.0.1:8080"), adminAddr: getenv("FORECOURT_ADMIN_ADDR"),
		databaseURL: getenv("DATABASE_URL"), databaseListen: getenv("DATABASE_LISTEN_URL"),
		replicaURL: getenv("DATABASE_REPLICA_URL"),
		data:       getenv("FORECOURT_DATA"), secret: getenv("FORECOURT_SECRET"),
		gatewayURL: getenv("GATEWAY_URL"), gatewayKey: secret.New(or(getenv("GATEWAY_KEY"), sandboxKey)),
		hostedURL: getenv("HPS_URL"), checkoutScript: getenv("CHECKOUT_SCRIPT_URL"), jqueryScript: getenv("JQUERY_URL"),
		redirectHosts: split(getenv("REDIRECT_HOSTS")), descriptors: map[string]string{},
		tlsCert: getenv("TLS_CERT"), tlsKey: getenv("TLS_KEY"),
	}
	readers := []func(*config, func(string) string) error{
		readAddr, readURL, readDatabase, readSecret, readDemo, readGateway, readHosted, readRedirectHosts, readEmbed, readDescriptors, readTLS,
		readProxies, readLimits, readMail, readPush, readBridge, readCRMSocket, readLogLevel, readDrain, readBrand, readWallets,
		readTracing,
	}
	for _, read := range readers {
		if err := read(&c, getenv); err != nil {
			return c, err
		}
	}
	return c, nil
}

func readAddr(c *config, _ func(string) string) error {
	if err := checkListen("FORECOURT_ADDR", c.addr); err != nil || c.adminAddr == "" {
		return err
	}
	return checkListen("FORECOURT_ADMIN_ADDR", c.adminAddr)
}

func checkListen(name, address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return &settingError{name, fmt.Sprintf("%q is not HOST:PORT", address)}
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return &settingError{name, fmt.Sprintf("%q is not a port", port)}
	}
	if _, err := netip.ParseAddr(host); err != nil && host != "" && strings.ContainsAny(host, " /") {
		return &settingError{name, fmt.Sprintf("%q is not a host", host)}
	}
	return nil
}

func readURL(c *config, getenv func(string) string) error {
	value := getenv("FORECOURT_URL")
	if value == "" {
		return nil
	}
	address, err := webAddress(value)
	if err != nil || strings.Trim(address.Path, "/") != "" {
		return &settingError{"FORECOURT_URL", fmt.Sprintf("%q is not http(s)://HOST", value)}
	}
	c.url = address
	return nil
}

func readDatabase(c *config, _ func(string) string) error {
	for name, value := range map[string]string{
		"DATABASE_URL": c.databaseURL, "DATABASE_LISTEN_URL": c.databaseListen, "DATABASE_REPLICA_URL": c.replicaURL,
	} {
		if value == "" {
			continue
		}
		if c.databaseURL == "" {
			return &settingError{name, "it goes with DATABASE_URL"}
		}
		// The value may hold a password, so neither it nor what the parser says of it is shown.
		if !strings.HasPrefix(value, "postgres://") && !strings.HasPrefix(value, "postgresql://") {
			return &settingError{name, "it has to start with postgres://"}
		}
		parsed, err := pgxpool.ParseConfig(value)
		if err != nil {
			return &settingError{name, "it is not postgres://USER:PASSWORD@HOST:PORT/NAME with settings that PostgreSQL has"}
		}
		switch parsed.ConnConfig.DefaultQueryExecMode {
		case pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe:
		default: // they guess types, or need a connection of their own
			return &settingError{name, "default_query_exec_mode has to be cache_statement or cache_describe"}
		}
	}
	return nil
}

func readSecret(c *config, _ func(string) string) error {
	switch {
	case c.secret == "" && c.databaseURL != "":
		return &settingError{"FORECOURT_SECRET", "it is required with DATABASE_URL"}
	case c.secret != "" && len(c.secret) < 32:
		return &settingError{"FORECOURT_SECRET", "it needs 32 bytes or more"}
	}
	return nil
}

func readDemo(c *config, getenv func(string) string) error {
	switch value := strings.ToLower(getenv("FORECOURT_DEMO")); value {
	case "":
		c.demo = c.databaseURL == ""
	case "on", "1", "true", "yes":
		c.demo = true
	case "off", "0", "false", "no":
		c.demo = false
	default:
		return &settingError{"FORECOURT_DEMO", fmt.Sprintf("%q is neither on nor off", value)}
	}
	return nil
}

func readGateway(c *config, getenv func(string) string) error {
	if c.gatewayURL != "" {
		if _, err := webAddress(c.gatewayURL); err != nil {
			return &settingError{"GATEWAY_URL", fmt.Sprintf("%q is not http(s)://HOST", c.gatewayURL)}
		}
	}
	timeout, err := time.ParseDuration(or(getenv("GATEWAY_TIMEOUT"), "10s"))
	if err != nil || timeout < 100*time.Millisecond || timeout > 2*time.Minute {
		return &settingError{"GATEWAY_TIMEOUT", "it has to be a duration from 100ms to 2m, such as 10s"}
	}
	c.gatewayTimeout = timeout
	return nil
}

func readHosted(c *config, getenv func(string) string) (err error) {
	for name, value := range map[string]string{
		"HPS_URL": c.hostedURL, "CHECKOUT_SCRIPT_URL": c.checkoutScript, "JQUERY_URL": c.jqueryScript,
	} {
		if value == "" {
			continue
		}
		// The host stands in a header, too.
		if u, err := webAddress(value); err != nil || strings.ContainsAny(u.Host, "*;,'\"") {
			return &settingError{name, fmt.Sprintf("%q is not http(s)://HOST/PATH", value)}
		}
	}
	c.outboundAllow, err = readOutboundAllow(getenv)
	return err
}

func readOutboundAllow(getenv func(string) string) ([]string, error) {
	pairs := split(getenv("OUTBOUND_ALLOW"))
	for _, pair := range pairs {
		if host, port, err := net.SplitHostPort(pair); err != nil || host == "" || port == "" {
			return nil, &settingError{"OUTBOUND_ALLOW", fmt.Sprintf("%q is not HOST:PORT", pair)}
		}
	}
	return pairs, nil
}

func readRedirectHosts(c *config, _ func(string) string) error {
	for _, host := range c.redirectHosts {
		if u, err := url.Parse("https://" + host); err != nil || u.Host != host || !isPolicySource(host) {
			return &settingError{"REDIRECT_HOSTS", fmt.Sprintf("%q is not HOST or HOST:PORT", host)}
		}
	}
	return nil
}

func readEmbed(c *config, getenv func(string) string) error {
	for _, origin := range strings.Fields(getenv("EMBED_ORIGINS")) {
		u, err := webAddress(origin)
		if err != nil || u.Scheme+"://"+u.Host != origin || strings.ContainsAny(u.Host, "*;,'\"") {
			return &settingError{"EMBED_ORIGINS", fmt.Sprintf("%q is not http(s)://HOST", origin)}
		}
		c.embedOrigins = append(c.embedOrigins, origin)
	}
	return nil
}

func readDescriptors(c *config, getenv func(string) string) error {
	for pair := range strings.SplitSeq(getenv("DESCRIPTORS"), ",") {
		if pair == "" {
			continue
		}
		client, text, ok := strings.Cut(pair, "=")
		if !ok || client == "" || text == "" {
			return &settingError{"DESCRIPTORS", fmt.Sprintf("%q is not client=TEXT", pair)}
		}
		c.descriptors[strings.TrimSpace(client)] = strings.TrimSpace(text)
	}
	return nil
}

func readTLS(c *config, _ func(string) string) error {
	if (c.tlsCert == "") != (c.tlsKey == "") {
		return &settingError{"TLS_CERT", "TLS_CERT and TLS_KEY go together"}
	}
	if c.tlsCert == "" {
		return nil
	}
	if _, err := tls.LoadX509KeyPair(c.tlsCert, c.tlsKey); err != nil {
		return &settingError{"TLS_CERT", "TLS_CERT and TLS_KEY: " + err.Error()}
	}
	return nil
}

func readProxies(c *config, getenv func(string) string) error {
	for _, text := range split(getenv("TRUSTED_PROXIES")) {
		prefix, err := netip.ParsePrefix(text)
		if address, addressErr := netip.ParseAddr(text); addressErr == nil {
			prefix, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil {
			return &settingError{"TRUSTED_PROXIES", fmt.Sprintf("%q is neither an address nor a network", text)}
		}
		c.proxies = append(c.proxies, prefix.Masked())
	}
	return nil
}

func readLimits(c *config, getenv func(string) string) error {
	c.streams = 40
	for name, limit := range map[string]struct {
		value *int
		least int
	}{
		"LIMIT_TRANSACTION": {&c.limits.Transaction, 1}, "LIMIT_CARD": {&c.limits.Card, 1},
		"LIMIT_ADDRESS": {&c.limits.Address, payment.MinAddressLimit}, "LIMIT_MERCHANT": {&c.limits.Merchant, 1},
		"LIMIT_STREAMS": {&c.streams, 1}, "LIMIT_PUSH": {&c.push.Limit, 1},
		"LIMIT_TOKEN": {&c.inviteLimits.Token, 1}, "LIMIT_BEARER": {&c.inviteLimits.Bearer, 1},
		"LIMIT_SIGNIN_ACCOUNT": {&c.accountLimits.SignInAccount, 1}, "LIMIT_SIGNIN_ADDRESS": {&c.accountLimits.SignInAddress, 1},
	} {
		text := getenv(name)
		if text == "" {
			continue
		}
		value, err := strconv.Atoi(text)
		if err != nil || value < limit.least || value > 1_000_000 {
			return &settingError{name, fmt.Sprintf("it has to be a number from %d", limit.least)}
		}
		*limit.value = value
	}
	return nil
}

func readMail(c *config, getenv func(string) string) error {
	if text := getenv("SMTP_URL"); text != "" {
		server, err := mail.ParseServer(text)
		if err != nil {
			return &settingError{"SMTP_URL", err.Error()}
		}
		c.mailServer = server
	}
	for name, value := range map[string]*string{"MAIL_FROM": &c.mailFrom, "MAIL_BCC": &c.mailBcc} {
		text := getenv(name)
		if text == "" {
			continue
		}
		address, err := netmail.ParseAddress(text)
		if err != nil {
			return &settingError{name, fmt.Sprintf("%q is not an address", text)}
		}
		*value = address.String()
	}
	return nil
}

func readLogLevel(c *config, getenv func(string) string) error {
	if err := c.logLevel.UnmarshalText([]byte(or(getenv("LOG_LEVEL"), "info"))); err != nil {
		return &settingError{"LOG_LEVEL", "it has to be debug, info, warn or error"}
	}
	return nil
}

func readDrain(c *config, getenv func(string) string) error {
	drain, err := time.ParseDuration(or(getenv("FORECOURT_DRAIN"), "0s"))
	if err != nil || drain < 0 || drain > time.Minute {
		return &settingError{"FORECOURT_DRAIN", "it has to be a duration from 0s to 1m, such as 5s"}
	}
	c.drain = drain
	return nil
}

// descriptor is how a client's charges read on a statement (RCPT-06, RCPT-07).
func (c config) descriptor(client string) string {
	return or(c.descriptors[client], "LAT*"+client)
}

// webAddress reads an absolute http(s) address without user info, query or fragment.
func webAddress(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("not a web address")
	}
	return u, nil
}

func or(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
