package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"net/url"
	"os"

	paypage "forecourt/handlers/pay"
	"forecourt/internal/gateway"
)

// walletConfig is what the settings say of wallets.
type walletConfig struct {
	apple      gateway.AppleConfig // without its Domain
	domainFile []byte              // nil: none
	google     paypage.Wallets     // without Simulated
}

// googleScript is Google's own.
const googleScript = "https://pay.google.com/gp/p/js/pay.js"

// maxDomainFile is far above what Apple hands out.
const maxDomainFile = 64 << 10

func readWallets(c *config, getenv func(string) string) error {
	c.wallets.apple.MerchantID = getenv("APPLEPAY_MERCHANT_ID")
	c.wallets.google = paypage.Wallets{
		GoogleMerchantID: getenv("GOOGLEPAY_MERCHANT_ID"), GoogleGateway: or(getenv("GOOGLEPAY_GATEWAY"), "example"),
	}
	for _, read := range []func(*walletConfig, func(string) string) error{readApple, readDomainFile, readGoogleScript} {
		if err := read(&c.wallets, getenv); err != nil {
			return err
		}
	}
	return nil
}

func readApple(c *walletConfig, getenv func(string) string) error {
	if address := getenv("APPLEPAY_URL"); address != "" {
		if _, err := webAddress(address); err != nil {
			return &settingError{"APPLEPAY_URL", fmt.Sprintf("%q is not http(s)://HOST", address)}
		}
		c.apple.URL = address
	}
	cert, key := getenv("APPLEPAY_CERT"), getenv("APPLEPAY_KEY")
	switch {
	case (cert == "") != (key == ""):
		return &settingError{"APPLEPAY_CERT", "APPLEPAY_CERT and APPLEPAY_KEY go together"}
	case cert == "":
		return nil
	case c.apple.MerchantID == "":
		return &settingError{"APPLEPAY_MERCHANT_ID", "it goes with APPLEPAY_CERT"}
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return &settingError{"APPLEPAY_CERT", "APPLEPAY_CERT and APPLEPAY_KEY: " + err.Error()}
	}
	c.apple.Certificate = &pair
	return nil
}

func readDomainFile(c *walletConfig, getenv func(string) string) error {
	path := getenv("APPLEPAY_DOMAIN_FILE")
	if path == "" {
		return nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return &settingError{"APPLEPAY_DOMAIN_FILE", err.Error()}
	}
	if len(bytes.TrimSpace(content)) == 0 || len(content) > maxDomainFile {
		return &settingError{"APPLEPAY_DOMAIN_FILE", fmt.Sprintf("%s is not the file that Apple gave", path)}
	}
	c.domainFile = content
	return nil
}

func readGoogleScript(c *walletConfig, getenv func(string) string) error {
	c.google.GoogleScript = or(getenv("GOOGLEPAY_SCRIPT_URL"), googleScript)
	u, err := webAddress(c.google.GoogleScript)
	if err != nil {
		return &settingError{"GOOGLEPAY_SCRIPT_URL", fmt.Sprintf("%q is not http(s)://HOST/PATH", c.google.GoogleScript)}
	}
	c.google.GoogleOrigin = (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
	return nil
}

// appleSessions validates merchants at our public address.
func (s *server) appleSessions(public *url.URL) *gateway.AppleSessions {
	cfg := s.wallets.apple
	cfg.Domain = public.Hostname()
	return gateway.NewAppleSessions(s.gateway.client, cfg)
}

// offeredWallets are simulated, too, where the gateway is the sandbox inside.
func (s *server) offeredWallets() paypage.Wallets {
	offered := s.wallets.google
	offered.Simulated = s.gatewayURL == ""
	return offered
}
