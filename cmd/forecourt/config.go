package main

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"forecourt/internal/kit/secret"
	"forecourt/internal/run/push"
	"forecourt/internal/run/tracing"
	"forecourt/internal/site/legal"
)

// sandboxKey is the default key of a sandbox. It only guards play money.
const sandboxKey = "sandbox"

// config holds every setting, read once, in the form that the program's parts take.
type config struct {
	settings
	Addr       string   // the listen address
	PlainAddr  string   // the one that redirects http to https; "" for none
	URL        *url.URL // the public address; nil if it follows from the listener
	OtherURLs  []string // further addresses of the site
	demo       bool
	tracer     *tracing.Tracer // made by serve; nil for none
	beside     bool            // for a command, which may run beside a program that serves from the same data folder
	existing   bool            // do not make a built-in database
	unarchived bool            // do not archive the built-in database
}

// settingsParser returns a parser for a struct of settings that reads none. They are never read from the command line, which other people
// on the machine can see.
func settingsParser(s any, options ...kong.Option) (*kong.Kong, error) {
	return kong.New(s, append(append(kinds(), kong.NoDefaultHelp()), options...)...)
}

// readSettings fills a struct of settings with the values that lookup has for their names, and returns those names. What has neither a
// value nor a default stays as it is.
func readSettings(s any, lookup func(string) string) (names []string, err error) {
	parser, err := settingsParser(s, kong.Resolvers(kong.ResolverFunc(
		func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
			if value := lookup(flag.Name); value != "" {
				return value, nil
			}
			return nil, nil
		})))
	if err != nil {
		return nil, err
	}
	had := map[*kong.Flag]reflect.Value{}
	for _, flag := range parser.Model.Flags {
		names = append(names, flag.Name)
		if had[flag] = reflect.ValueOf(flag.Target.Interface()); flag.HasDefault || lookup(flag.Name) != "" {
			delete(had, flag)
		}
	}
	_, err = parser.Parse(nil)
	for flag, value := range had {
		flag.Target.Set(value)
	}
	if wrong := (*settingError)(nil); errors.As(err, &wrong) {
		return names, wrong
	}
	return names, err
}

// readConfig reads the settings and checks those that depend on each other.
func readConfig(getenv func(string) string) (config, error) {
	var c config
	if _, err := readSettings(&c.settings, getenv); err != nil {
		return c, err
	}
	for _, check := range []func() error{
		c.readFiles, c.settleAddresses, c.checkAddresses, c.checkDatabase, c.checkArchive, c.checkTLS,
		c.checkGateways, c.readGateways, c.checkPush, c.readApple,
	} {
		if err := check(); err != nil {
			return c, err
		}
	}
	c.demo = c.demoByDefault()
	if c.Demo != nil {
		c.demo = *c.Demo
	}
	c.Wallets.Simulated = c.GatewayURL == "" // the built-in sandbox
	return c, nil
}

// everywhere reports whether a server on host listens on all addresses of the machine.
func everywhere(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

func (c *config) checkDatabase() error {
	if c.DatabaseListenURL != "" && c.DatabaseURL == "" {
		return &settingError{"DATABASE_LISTEN_URL", "it goes with DATABASE_URL"}
	}
	if c.Secret == "" && c.DatabaseURL != "" {
		return &settingError{"FORECOURT_SECRET", "it is required with DATABASE_URL"}
	}
	return nil
}

// readKeyPair returns nil if neither file is set.
func readKeyPair(certName, cert, keyName, key string) (*tls.Certificate, error) {
	if (cert == "") != (key == "") {
		return nil, &settingError{certName, certName + " and " + keyName + " go together"}
	}
	if cert == "" {
		return nil, nil //nolint:nilnil // nil is none
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, &settingError{certName, certName + " and " + keyName + ": " + err.Error()}
	}
	return &pair, nil
}

// readGateways gives the gateways their names.
func (c *config) readGateways() error {
	if c.GatewayKey.IsZero() {
		c.GatewayKey = secret.New(sandboxKey)
	}
	c.GatewayID = cmp.Or(c.GatewayID, plainAddress(c.GatewayURL), "sandbox")
	switch {
	case c.PreviousURL == "" && (c.PreviousID != "" || !c.PreviousKey.IsZero()):
		return &settingError{"GATEWAY_PREVIOUS_URL", "it goes with GATEWAY_PREVIOUS_KEY and GATEWAY_PREVIOUS_ID"}
	case c.PreviousURL == "":
		return nil
	case c.PreviousKey.IsZero():
		return &settingError{"GATEWAY_PREVIOUS_KEY", "it goes with GATEWAY_PREVIOUS_URL"}
	}
	if c.PreviousID = cmp.Or(c.PreviousID, plainAddress(c.PreviousURL)); c.PreviousID == c.GatewayID {
		return &settingError{"GATEWAY_PREVIOUS_ID", "the gateway before and the one now have the same name"}
	}
	return nil
}

// plainAddress returns the one normal spelling of an address.
func plainAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return ""
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	u.Host = strings.TrimSuffix(u.Host, map[string]string{"http": ":80", "https": ":443"}[u.Scheme])
	return strings.TrimRight(u.String(), "/")
}

// checkGateways allows keys and cards to be sent only over https or to this machine, and refuses a well-known key.
func (c *config) checkGateways() error {
	for name, address := range map[string]string{"GATEWAY_URL": c.GatewayURL, "GATEWAY_PREVIOUS_URL": c.PreviousURL} {
		if u, err := url.Parse(address); err != nil || u.Scheme == "http" && !ownHost(u.Hostname()) {
			return &settingError{name, "it has to be https: http is for this machine alone"}
		}
	}
	if c.GatewayURL != "" && c.GatewayKey.IsZero() {
		return &settingError{"GATEWAY_KEY", "it is required with GATEWAY_URL"}
	}
	return nil
}

func (c *config) checkPush() error {
	if c.Push.Keys == (push.Keys{}) {
		return nil
	}
	var err error
	if c.Push.Keys, err = push.ReadKeys(c.Push.Keys.Public, c.Push.Keys.Private.Reveal()); err != nil {
		return &settingError{"PUSH_FILE", "vapid_private, with vapid_public: " + err.Error()}
	}
	return nil
}

func (c *config) readApple() (err error) {
	if c.AppleCert != "" && c.AppleKey != "" && c.Apple.MerchantID == "" {
		return &settingError{"APPLEPAY_MERCHANT_ID", "it goes with APPLEPAY_CERT"}
	}
	c.Apple.Certificate, err = readKeyPair("APPLEPAY_CERT", c.AppleCert, "APPLEPAY_KEY", c.AppleKey)
	return err
}

// placeholders lists the values of BRAND_FILE that a site for real people lacks. Without them it shows placeholder names, addresses and
// numbers.
func (c config) placeholders() (names []string) {
	if c.demo {
		return nil
	}
	invented := legal.DefaultProvider()
	ours, theirs := flagsOf(&c.Provider), flagsOf(&invented)
	for i, flag := range ours {
		if made := theirs[i].Target.String(); flag.Tag.Has("real") && made != "" && flag.Target.String() == made {
			names = append(names, flag.Name)
		}
	}
	return names
}

// siteURL returns the site's public address as far as the settings determine it. Commands do not know a port that was chosen at start.
func (c config) siteURL() *url.URL {
	return cmp.Or(c.URL, c.urlAt(c.Addr))
}

// urlAt returns a listener's address as a browser of this machine writes it.
func (c config) urlAt(address string) *url.URL {
	host, port, _ := net.SplitHostPort(address)
	if everywhere(host) {
		host = "127.0.0.1"
	}
	return &url.URL{Scheme: c.scheme(), Host: net.JoinHostPort(host, port)}
}
