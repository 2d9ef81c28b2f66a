package main

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"
)

// sandboxKey is the key of a sandbox that nobody gave another one. It guards play money.
const sandboxKey = "sandbox"

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
