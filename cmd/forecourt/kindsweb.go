package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/net/http/httpguts"
)

func readListen(text string) (string, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return "", fmt.Errorf("%q is not HOST:PORT", text)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return "", fmt.Errorf("%q is not a port", port)
	}
	if _, err := netip.ParseAddr(host); err != nil && host != "" && strings.ContainsAny(host, " /") {
		return "", fmt.Errorf("%q is not a host", host)
	}
	return text, nil
}

// webAddress reads an absolute http(s) address without user info, query or fragment, whose host may be used in a
// Content-Security-Policy.
func webAddress(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		u.RawQuery != "" || u.Fragment != "" || !isPolicySource(u.Host) {
		return nil, errors.New("not a web address")
	}
	return u, nil
}

// isPolicySource reports whether a host may be used unchanged in a Content-Security-Policy.
func isPolicySource(host string) bool { return !strings.ContainsAny(host, "*;, '\"") }

func readWeb(text string) (string, error) {
	if _, err := webAddress(text); err != nil {
		return "", fmt.Errorf("%q is not http(s)://HOST/PATH", text)
	}
	return text, nil
}

func readSite(text string) (*url.URL, error) {
	u, err := webAddress(text)
	if err != nil || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("%q is not http(s)://HOST:PORT", text)
	}
	return u, nil
}

func readSocket(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "wss" || u.Host == "" || u.User != nil || u.Fragment != "" || !isPolicySource(u.Host) {
		return nil, fmt.Errorf("%q is not wss://HOST:PORT/PATH", text)
	}
	return u, nil
}

// readCollector does not quote the text, because people put passwords there.
func readCollector(text string) (*url.URL, error) {
	u, err := webAddress(text)
	if err != nil {
		return nil, errors.New("it has to be http(s)://HOST, without a password or a query")
	}
	return u, nil
}

// readHeaders reads NAME=VALUE,… with escapes.
func readHeaders(text string) (map[string]string, error) {
	headers, err := readPairs(text)
	for name, value := range headers {
		plain, escape := url.PathUnescape(value)
		if escape != nil || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(plain) {
			return nil, errors.New("it has to be NAME=VALUE,…")
		}
		headers[name] = plain
	}
	return headers, err
}

func readOrigin(text string) (string, error) {
	if u, err := webAddress(text); err != nil || u.Scheme+"://"+u.Host != text {
		return "", fmt.Errorf("%q is not http(s)://HOST", text)
	}
	return text, nil
}

func readHost(text string) (string, error) {
	if u, err := url.Parse("https://" + text); err != nil || u.Host != text || !isPolicySource(text) {
		return "", fmt.Errorf("%q is not HOST or HOST:PORT", text)
	}
	return text, nil
}

// readDomain reads a name that an authority issues certificates for: no address, port or wildcard.
func readDomain(text string) (string, error) {
	domain := strings.ToLower(text)
	_, addressErr := netip.ParseAddr(domain)
	if _, err := readHost(domain); err != nil || strings.Contains(domain, ":") || addressErr == nil ||
		!httpguts.ValidHostHeader(domain) || !strings.Contains(strings.Trim(domain, "."), ".") || strings.HasSuffix(domain, ".") {
		return "", fmt.Errorf("%q is not a name such as pay.example", domain)
	}
	return domain, nil
}

func readHostPort(text string) (string, error) {
	if host, port, err := net.SplitHostPort(text); err != nil || host == "" || port == "" {
		return "", fmt.Errorf("%q is not HOST:PORT", text)
	}
	return text, nil
}

func readNetwork(text string) (netip.Prefix, error) {
	network, err := netip.ParsePrefix(text)
	if address, addressErr := netip.ParseAddr(text); addressErr == nil {
		network, err = netip.PrefixFrom(address, address.BitLen()), nil
	}
	switch {
	case err != nil:
		return network, fmt.Errorf("%q is neither an address nor a network", text)
	case network.Bits() == 0:
		return network, fmt.Errorf("%q is every address: anybody could then claim to have any address", text)
	}
	return network.Masked(), nil
}

// readPostgres quotes neither the text, which may hold a password, nor the parser's error, which may quote it.
func readPostgres(text string) (string, error) {
	if !strings.HasPrefix(text, "postgres://") && !strings.HasPrefix(text, "postgresql://") {
		return "", errors.New("it has to start with postgres://")
	}
	parsed, err := pgxpool.ParseConfig(text)
	if err != nil {
		return "", errors.New("it is not postgres://USER:PASSWORD@HOST:PORT/NAME with settings that PostgreSQL has")
	}
	switch parsed.ConnConfig.DefaultQueryExecMode {
	case pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe:
		return text, nil
	default: // the other modes guess types, or need their own connection
		return "", errors.New("default_query_exec_mode has to be cache_statement or cache_describe")
	}
}
