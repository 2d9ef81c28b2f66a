package bridge

import (
	"sync"
	"time"
)

// How long the simulated terminal takes for each part of a payment.
const (
	connectingFor = time.Second
	processingFor = 2 * time.Second
)

// Terminal is a simulated card terminal. It holds one payment at a time and moves it on with the clock: connecting,
// processing, then approved, or declined for amounts that end in .05 and timeout for those that end in .08.
type Terminal struct {
	unplugged bool
	now       func() time.Time

	mu      sync.Mutex
	payment *terminalPayment // the last one, nil before the first
}

type terminalPayment struct {
	ref       string
	minor     int64
	startedAt time.Time
	cancelled time.Time // zero unless it was
}

// NewTerminal returns a terminal at rest. An unplugged one never connects. now tells the time.
func NewTerminal(unplugged bool, now func() time.Time) *Terminal {
	return &Terminal{unplugged: unplugged, now: now}
}

// Status tells how the last payment stands; Ready before the first.
func (t *Terminal) Status() Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status()
}

// Pay starts a payment of minor cents. Asked again with the same ref it starts nothing and tells how that payment stands.
// While another payment is under way it answers Busy with that one's ref, and starts nothing either.
func (t *Terminal) Pay(ref string, minor int64) Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.unplugged || t.payment != nil && t.payment.ref == ref {
		return t.status()
	}
	if now := t.status(); now.Status == Connecting || now.Status == Processing {
		now.Status = Busy
		return now
	}
	t.payment = &terminalPayment{ref: ref, minor: minor, startedAt: t.now()}
	return t.status()
}

// Cancel ends the payment of that ref if it is under way, and tells how the last payment stands: one that was approved
// first stays approved.
func (t *Terminal) Cancel(ref string) Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.status(); now.TrxRef == ref && (now.Status == Connecting || now.Status == Processing) {
		t.payment.cancelled = t.now()
	}
	return t.status()
}

func (t *Terminal) status() Status {
	s := Status{Connected: !t.unplugged, Status: Ready, Currency: Currency}
	if t.payment == nil {
		return s
	}
	s.TrxRef, s.Amount = t.payment.ref, float64(t.payment.minor)/100
	s.Status, s.Trx = t.payment.at(t.now())
	return s
}

// at tells how the payment stands at a moment, with its end once it has ended.
func (p *terminalPayment) at(now time.Time) (string, *Trx) {
	if !p.cancelled.IsZero() {
		return end(Cancelled, p.cancelled)
	}
	switch passed := now.Sub(p.startedAt); {
	case passed < connectingFor:
		return Connecting, nil
	case passed < connectingFor+processingFor:
		return Processing, nil
	}
	ended := p.startedAt.Add(connectingFor + processingFor)
	switch p.minor % 100 {
	case 5:
		return end(Declined, ended)
	case 8:
		return end(TimedOut, ended)
	default:
		return end(Approved, ended)
	}
}

func end(result string, at time.Time) (string, *Trx) {
	return result, &Trx{Result: result, EndedAt: at.UTC().Format(time.RFC3339)}
}
