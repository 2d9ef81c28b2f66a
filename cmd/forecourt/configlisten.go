package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

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
