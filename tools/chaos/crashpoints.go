package main

import (
	_ "embed"
	"strings"
)

// dying and die are the Go files that are built into the program for the crash matrix: it dies where FORECOURT_CRASH says.
var (
	//go:embed dying.go.txt
	dying string
	//go:embed die.go.txt
	die string
)

// crashFiles are added to the program.
func crashFiles() map[string]string {
	return map[string]string{
		"internal/payment/dying.go": dying,
		"internal/payment/die.go":   strings.Replace(die, "PACKAGE", "payment", 1),
		"internal/mail/die.go":      strings.Replace(die, "PACKAGE", "mail", 1),
	}
}

// crashPatches lead the payment core and the mailer through the points at which they may die. What a death of the mailer
// left undone is begun again after seconds instead of most of a minute.
func crashPatches() []patch {
	const pay, settle, sweep = "internal/payment/pay.go", "internal/payment/settle.go", "internal/payment/sweep.go"
	const approve, mailer, jobs = "internal/payment/approve.go", "internal/mail/worker.go", "internal/jobs/jobs.go"
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
			sweep, "\tvar answer gateway.Answer\n\tif a.State == state.AttemptRedirected",
			"\tdieAt(\"sweep, leased\")\n\tvar answer gateway.Answer\n\tif a.State == state.AttemptRedirected",
		},
		{
			sweep, "\t\tp.settle(ctx, try{a.ID, ",
			"\t\tdieAt(\"sweep, answer read\")\n\t\tdefer dieAt(\"sweep, settled\")\n\t\tp.settle(ctx, try{a.ID, ",
		},
		{
			mailer, "\terr = w.cfg.Server.send(ctx, *letter)\n",
			"\tdieAt(\"mailer, nothing told\")\n\terr = w.cfg.Server.send(ctx, *letter)\n\tif err == nil {\n\t\tdieAt(\"mailer, letter taken\")\n\t}\n",
		},
		{jobs, "jobLimit  = 30 * time.Second", "jobLimit  = 5 * time.Second"},
		{jobs, "abandoned = 40 * time.Second", "abandoned = 6 * time.Second"},
	}
}

// crashPoint is one place to die, and a payment that comes by.
type crashPoint struct {
	name, card string
	claimed    bool // an attempt is stored by then
	mailer     bool // the payment is settled by then
	taken      bool // the mail server has a letter by then
}

func crashPoints() []crashPoint {
	return []crashPoint{
		{name: "before the claim", card: approves},
		{name: "inside the claim", card: approves},
		{name: "after the claim", card: approves, claimed: true},
		{name: "in flight", card: chargedHangs, claimed: true},
		{name: "answer read", card: approves, claimed: true},
		{name: "answer read", card: declines, claimed: true},
		{name: "answer read", card: chargedBreak, claimed: true},
		{name: "inside settling", card: approves, claimed: true},
		{name: "inside settling", card: declines, claimed: true},
		{name: "after settling", card: approves, claimed: true},
		{name: "after settling", card: declines, claimed: true},
		{name: "sweep, leased", card: chargedBreak, claimed: true},
		{name: "sweep, answer read", card: chargedBreak, claimed: true},
		{name: "sweep, answer read", card: breaks, claimed: true},
		{name: "sweep, settled", card: chargedHangs, claimed: true},
		{name: "mailer, nothing told", card: approves, claimed: true, mailer: true},
		{name: "mailer, letter taken", card: approves, claimed: true, mailer: true, taken: true},
	}
}
