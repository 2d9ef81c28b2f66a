package push

import (
	"net/netip"
	"net/url"
	"strings"
	"sync"
)

// patience remembers which push services did not answer their last call. Such a service is called once at a time, so that it cannot hold up
// the messages to all others. The zero value remembers none.
type patience struct {
	mu   sync.Mutex
	slow map[string]bool // by domain: whether a call is under way
}

// mostSlow is how many slow services are remembered. Beyond it, all are forgotten.
const mostSlow = 10_000

// begin reports whether a service may be called now. If so, the caller has to call end with whether it answered.
func (p *patience) begin(domain string) (end func(answered bool), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	calling, slow := p.slow[domain]
	if calling {
		return nil, false
	}
	if slow {
		p.slow[domain] = true
	}
	return func(answered bool) { p.end(domain, answered) }, true
}

func (p *patience) end(domain string, answered bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if answered {
		delete(p.slow, domain)
		return
	}
	if p.slow == nil || len(p.slow) >= mostSlow {
		p.slow = map[string]bool{}
	}
	p.slow[domain] = false
}

// domainOf returns the last two labels of the name in an endpoint's address, since whoever has a domain has any number of names in it, or
// the whole of an address of the network.
func domainOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	name := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if _, err := netip.ParseAddr(name); err == nil {
		return u.Host
	}
	labels := strings.Split(name, ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}
