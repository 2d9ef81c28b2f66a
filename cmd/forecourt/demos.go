package main

import (
	"fmt"
	"net/url"
	"strings"
)

func readBridge(c *config, getenv func(string) string) error {
	value := or(getenv("BRIDGE_URL"), "http://localhost:3015")
	address, err := webAddress(value)
	if err != nil || strings.Trim(address.Path, "/") != "" || !isPolicySource(address.Host) {
		return &settingError{"BRIDGE_URL", fmt.Sprintf("%q is not http(s)://HOST:PORT", value)}
	}
	c.bridgeURL = address
	return nil
}

func readCRMSocket(c *config, getenv func(string) string) error {
	value := or(getenv("CRM_SOCKET_URL"), "wss://localhost:3017/")
	address, err := url.Parse(value)
	if err != nil || address.Scheme != "wss" || address.Host == "" || address.User != nil || address.Fragment != "" || !isPolicySource(address.Host) {
		return &settingError{"CRM_SOCKET_URL", fmt.Sprintf("%q is not wss://HOST:PORT/PATH", value)}
	}
	c.crmSocketURL = address
	return nil
}

// isPolicySource tells whether a host may stand in a Content-Security-Policy as it is.
func isPolicySource(host string) bool { return !strings.ContainsAny(host, "*;, '\"") }
