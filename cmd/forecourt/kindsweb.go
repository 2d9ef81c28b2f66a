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

	"forecourt/handlers/web"
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

// readListens reads an address and perhaps a second one, which redirects to the first.
func readListens(text string) ([]string, error) {
	addresses := strings.Fields(text)
	if len(addresses) == 0 || len(addresses) > 2 {
		return nil, fmt.Errorf("%q is neither one HOST:PORT nor two", text)
	}
	for _, address := range addresses {
		if _, err := readListen(address); err != nil {
			return nil, err
		}
	}
	return addresses, nil
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

func readSites(text string) (sites []*url.URL, _ error) {
	for _, word := range strings.Fields(text) {
		site, err := readSite(word)
		if err != nil {
			return nil, err
		}
		sites = append(sites, site)
	}
	if len(sites) == 0 {
		return nil, errors.New("it has to be http(s)://HOST:PORT")
	}
	return sites, nil
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

// readHeaders reads NAME=VALUE,… with escapes. A value may be a key, so errors do not show it.
func readHeaders(text string) (map[string]string, error) {
	headers := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !found || err != nil || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("it has to be NAME=VALUE,…")
		}
		headers[name] = value
	}
	return headers, nil
}

func readOrigins(text string) ([]string, error) {
	origins := strings.Fields(text)
	for _, origin := range origins {
		if u, err := webAddress(origin); err != nil || u.Scheme+"://"+u.Host != origin {
			return nil, fmt.Errorf("%q is not http(s)://HOST", origin)
		}
	}
	return origins, nil
}

func readHosts(text string) ([]string, error) {
	hosts := split(text)
	for _, host := range hosts {
		if u, err := url.Parse("https://" + host); err != nil || u.Host != host || !isPolicySource(host) {
			return nil, fmt.Errorf("%q is not HOST or HOST:PORT", host)
		}
	}
	return hosts, nil
}

// readDomains reads names that an authority issues certificates for: no addresses, ports or wildcards.
func readDomains(text string) ([]string, error) {
	domains := split(strings.ToLower(text))
	for _, domain := range domains {
		u, err := url.Parse("https://" + domain)
		_, addressErr := netip.ParseAddr(domain)
		if err != nil || u.Hostname() != domain || u.Host != domain || addressErr == nil ||
			!isPolicySource(domain) || !httpguts.ValidHostHeader(domain) ||
			!strings.Contains(strings.Trim(domain, "."), ".") || strings.HasSuffix(domain, ".") {
			return nil, fmt.Errorf("%q is not a name such as pay.example", domain)
		}
	}
	return domains, nil
}

func readHostPorts(text string) ([]string, error) {
	pairs := split(text)
	for _, pair := range pairs {
		if host, port, err := net.SplitHostPort(pair); err != nil || host == "" || port == "" {
			return nil, fmt.Errorf("%q is not HOST:PORT", pair)
		}
	}
	return pairs, nil
}

func readNetworks(text string) (networks web.Proxies, _ error) {
	for _, word := range split(text) {
		network, err := netip.ParsePrefix(word)
		if address, addressErr := netip.ParseAddr(word); addressErr == nil {
			network, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is neither an address nor a network", word)
		case network.Bits() == 0:
			return nil, fmt.Errorf("%q is every address: anybody could then claim to have any address", word)
		}
		networks = append(networks, network.Masked())
	}
	return networks, nil
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

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
