package bridge

import (
	"sync"
	"time"
)

// These are the times that the simulated terminal takes for each part of a payment.
const (
	connectingFor = time.Second     // until the simulated terminal is connected
	processingFor = 2 * time.Second // until it has processed a payment
)

// Terminal is a simulated card terminal. It handles one payment at a time, which advances with the clock: connecting, processing,
// then approved, or declined for amounts that end in .05 and timeout for those that end in .08.
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

// NewTerminal returns an idle terminal. An unplugged one never connects. now is the clock.
func NewTerminal(unplugged bool, now func() time.Time) *Terminal {
	return &Terminal{unplugged: unplugged, now: now}
}

// Status returns the state of the last payment, or Ready before the first.
func (t *Terminal) Status() Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status()
}

// Pay starts a payment of minor cents. If it is called again with the same ref, it starts nothing and returns the state of that
// payment. While another payment is under way, it also starts nothing and answers Busy with that payment's ref.
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

// Cancel ends the payment with that ref if it is under way, and returns the state of the last payment. A payment that was approved
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

// at returns the state of the payment at a moment, with its end if it has ended by then.
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
