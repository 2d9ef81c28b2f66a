package push

import "testing"

func TestASlowServiceIsCalledOnceAtATime(t *testing.T) {
	t.Parallel()
	var p patience
	first, _ := p.begin("slow.example")
	second, ok := p.begin("slow.example")
	if !ok {
		t.Fatal("a service of which nothing is known is called once at a time")
	}
	first(false)
	again, ok := p.begin("slow.example")
	if !ok {
		t.Fatal("a slow service is never called again")
	}
	if _, ok := p.begin("slow.example"); ok {
		t.Error("a slow service is called twice at a time")
	}
	if _, ok := p.begin("other.example"); !ok {
		t.Error("another service waits for the slow one")
	}
	second(true)
	again(true)
	if len(p.slow) > 0 {
		t.Errorf("a service that answers again is still slow: %v", p.slow)
	}
}

func TestTheNamesOfADomainAreOneService(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://fcm.googleapis.com/fcm/send/x": "googleapis.com", "https://A.b.c.Example.org.:8443/": "example.org", "https://localhost/": "localhost",
		"http://127.0.0.1:81/send": "127.0.0.1:81", "https://[2001:db8::1]/": "[2001:db8::1]", "%": "",
	} {
		if got := domainOf(endpoint); got != want {
			t.Errorf("%s: %q, want %q", endpoint, got, want)
		}
	}
}
