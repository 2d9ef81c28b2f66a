package main

import (
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/account"
	"forecourt/internal/invite"
	"forecourt/internal/mail"
	"forecourt/internal/mailaddr"
	"forecourt/internal/payment"
	"forecourt/internal/provider"
	"forecourt/internal/push"
	"forecourt/internal/secret"
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
		mailbox, err := mailaddr.Mailbox(text)
		if err != nil {
			return &settingError{name, fmt.Sprintf("%q is not an address", text)}
		}
		*value = mailbox
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

func or(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
