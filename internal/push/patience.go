package push

import (
	"net/netip"
	"net/url"
	"strings"
	"sync"
)

// patience knows the push services that are being called and those whose last answer was slow. One of the latter is called once at a time,
// so that it cannot hold up the messages to all others. The zero value knows none.
type patience struct {
	mu       sync.Mutex
	services map[string]*service
}

type service struct {
	calls int  // under way
	slow  bool // the last call took long
}

// mostServices is how many services are known. Beyond it, the slow ones that are not being called are forgotten.
const mostServices = 10_000

// begin reports whether a service may be called now. If so, the caller has to call end with whether it answered promptly.
func (p *patience) begin(name string) (end func(prompt bool), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.services == nil {
		p.services = map[string]*service{}
	}
	s := p.services[name]
	if s == nil {
		if len(p.services) >= mostServices {
			p.forget()
		}
		s = &service{}
		p.services[name] = s
	}
	if s.slow && s.calls > 0 {
		return nil, false
	}
	s.calls++
	return func(prompt bool) { p.end(name, s, prompt) }, true
}

func (p *patience) end(name string, s *service, prompt bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.calls--
	s.slow = !prompt
	if s.calls == 0 && !s.slow {
		delete(p.services, name)
	}
}

func (p *patience) forget() {
	for name, s := range p.services {
		if s.calls == 0 {
			delete(p.services, name)
		}
	}
}

// known are browsers' own push services, by their names or the ends of them.
var known = []string{"fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"}

// serviceOf returns the name of the push service that an endpoint belongs to: the host, for one of the browsers' own. For others it is the
// last two labels of the host, because the owner of a domain can make up any name in it, and for an IP address the host and port.
func serviceOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	name := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if _, err := netip.ParseAddr(name); err == nil {
		return u.Host
	}
	for _, end := range known {
		if u.Port() == "" && (name == end || end[0] == '.' && strings.HasSuffix(name, end)) {
			return name
		}
	}
	labels := strings.Split(name, ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}
