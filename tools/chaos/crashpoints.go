package main

import _ "embed"

// dying is the Go file that is built into the program for the crash matrix: it dies where FORECOURT_CRASH says.
//
//go:embed dying.go.txt
var dying string

// crashPatches lead the payment core through the points at which it may die.
func crashPatches() []patch {
	const pay, settle, sweep = "internal/payment/pay.go", "internal/payment/settle.go", "internal/payment/sweep.go"
	const approve = "internal/payment/approve.go"
	return []patch{
		{
			pay, "claimed, err := p.queries.AttemptClaim(ctx, claim)",
			"claimed, err := p.claimOrDie(ctx, claim)",
		},
		{
			pay, "p.settle(ctx, t, call(ctx))",
			"p.settle(ctx, t, answerOrDie(func() gateway.Answer { return call(ctx) }))",
		},
		{
			settle, "rows, err := p.write(ctx, t, answer)",
			"rows, err := p.writeOrDie(ctx, t, answer)",
		},
		{
			approve, "return receipt.Make(ctx, tx, p.cfg.Mail, t.id, p.cfg.Descriptor(t.client))",
			"err = receipt.Make(ctx, tx, p.cfg.Mail, t.id, p.cfg.Descriptor(t.client))\n\t\tdieAt(\"inside settling\")\n\t\treturn err",
		},
		{
			sweep, "\tvar answer gateway.Answer\n\tif a.State == \"redirected\"",
			"\tdieAt(\"sweep, leased\")\n\tvar answer gateway.Answer\n\tif a.State == \"redirected\"",
		},
		{
			sweep, "\t\tp.settle(ctx, try{a.ID, ",
			"\t\tdieAt(\"sweep, answer read\")\n\t\tdefer dieAt(\"sweep, settled\")\n\t\tp.settle(ctx, try{a.ID, ",
		},
	}
}

// crashPoint is one place to die, and a payment that comes by.
type crashPoint struct {
	name, card string
	claimed    bool // an attempt is stored by then
}

func crashPoints() []crashPoint {
	return []crashPoint{
		{"before the claim", approves, false},
		{"inside the claim", approves, false},
		{"after the claim", approves, true},
		{"in flight", chargedHangs, true},
		{"answer read", approves, true},
		{"answer read", declines, true},
		{"answer read", chargedBreak, true},
		{"inside settling", approves, true},
		{"inside settling", declines, true},
		{"after settling", approves, true},
		{"after settling", declines, true},
		{"sweep, leased", chargedBreak, true},
		{"sweep, answer read", chargedBreak, true},
		{"sweep, answer read", breaks, true},
		{"sweep, settled", chargedHangs, true},
	}
}
