package main

import (
	_ "embed"
	"strings"
)

// dying and dieSource are Go files that are built into the program for the crash matrix. It then dies where FORECOURT_CRASH says.
var (
	//go:embed dying.go.txt
	dying string
	//go:embed die.go.txt
	dieSource string
)

// crashFiles returns the files that are added to the program.
func crashFiles() map[string]string {
	return map[string]string{
		"internal/payment/dying.go":  dying,
		"internal/payment/die.go":    strings.Replace(dieSource, "PACKAGE", "payment", 1),
		"internal/mail/die.go":       strings.Replace(dieSource, "PACKAGE", "mail", 1),
		"internal/settlement/die.go": strings.Replace(dieSource, "PACKAGE", "settlement", 1),
	}
}

// crashPatches makes the payment core and the mailer pass the points at which they may die. What a death of the mailer
// left undone is retried after seconds instead of most of a minute.
func crashPatches() []patch {
	const pay, settle, sweep = "internal/payment/pay.go", "internal/payment/settle.go", "internal/payment/sweep.go"
	const approve, mailer, jobs = "internal/payment/approve.go", "internal/mail/worker.go", "internal/jobs/jobs.go"
	const giving, sending, refusing = "internal/payment/refund.go", "internal/payment/refund_send.go", "internal/payment/refund_decide.go"
	const deciding, paidOut = "internal/payment/decide.go", "internal/settlement/payout.go"
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
			sweep, "\tvar answer gateway.Answer\n\twaits := ",
			"\tdieAt(\"sweep, leased\")\n\tvar answer gateway.Answer\n\twaits := ",
		},
		{
			sweep, "\t\tp.settle(ctx, try{a.ID, ",
			"\t\tdieAt(\"sweep, answer read\")\n\t\tdefer dieAt(\"sweep, settled\")\n\t\tp.settle(ctx, try{a.ID, ",
		},
		{
			mailer, "\terr = w.cfg.Server.send(ctx, *letter)\n",
			"\tdieAt(\"mailer, nothing told\")\n\terr = w.cfg.Server.send(ctx, *letter)\n\tif err == nil {\n\t\tdieAt(\"mailer, letter taken\")\n\t}\n",
		},
		{
			giving, "\t\treturn queries.AuditAdd(ctx, db.AuditAddParams{\n\t\t\tActor: asked.By, Action: \"refund\"",
			"\t\tdieAt(\"refund, inside the claim\")\n\t\treturn queries.AuditAdd(ctx, db.AuditAddParams{\n\t\t\tActor: asked.By, Action: \"refund\"",
		},
		{refusing, "\treturn at.Refund(", "\tdieAt(\"refund, claimed\")\n\treturn at.Refund("},
		{
			sending, "\terr = p.writeRefund(ctx, r, answer)\n",
			"\tdieAt(\"refund, answer read\")\n\terr = p.writeRefund(ctx, r, answer)\n\tdieAt(\"refund, settled\")\n",
		},
		{
			sending, "\trows, err := queries.RefundDone(ctx, refundid, id, byPerson)\n",
			"\trows, err := queries.RefundDone(ctx, refundid, id, byPerson)\n\tdieAt(\"refund, inside\")\n",
		},
		{
			sending, "\treturn queries.RefundDecline(ctx, id, byPerson)",
			"\trows, err := queries.RefundDecline(ctx, id, byPerson)\n\tdieAt(\"refund, inside\")\n\treturn rows, err",
		},
		{refusing, "\t\tif err == nil && rows == 0 {\n", "\t\tdieAt(\"refund, decided\")\n\t\tif err == nil && rows == 0 {\n"},
		{deciding, "\tif d.End == EndGivenBack {\n", "\tdieAt(\"decide, asked\")\n\tif d.End == EndGivenBack {\n"},
		{
			"internal/payment/record.go", "\tif err := p.tellStaff(", "\tdieAt(\"decide, inside\")\n\tif err := p.tellStaff(",
		},
		{"internal/payment/give_back.go", "\tr, err = p.sendRefund(ctx, r)\n", "\tdieAt(\"decide, committed\")\n\tr, err = p.sendRefund(ctx, r)\n"},
		{
			deciding, "\tp.announce(a.ClientCode, a.TransactionID)\n",
			"\tdieAt(\"decide, committed\")\n\tp.announce(a.ClientCode, a.TransactionID)\n",
		},
		{
			quarrel, "\t\tif err != nil || rows == 0 {",
			"\t\tdieAt(\"dispute, inside\")\n\t\tif err != nil || rows == 0 {",
		},
		{quarrel, "\tif rows > 0 {\n\t\ts.log.Warn", "\tdieAt(\"dispute, recorded\")\n\tif rows > 0 {\n\t\ts.log.Warn"},
		{paidOut, "\t\treturn place(ctx, queries, p.ID)", "\t\tdieAt(\"payout, inside\")\n\t\treturn place(ctx, queries, p.ID)"},
		{
			paidOut, "\t\t\tif err := s.add(ctx, p); err != nil {\n\t\t\t\treturn err\n\t\t\t}\n",
			"\t\t\tif err := s.add(ctx, p); err != nil {\n\t\t\t\treturn err\n\t\t\t}\n\t\t\tdieAt(\"payout, added\")\n",
		},
		{
			"internal/settlement/settlement.go", "\treturn s.queries.LedgerReadSet(ctx, mark, now)",
			"\tdieAt(\"ledger, read\")\n\treturn s.queries.LedgerReadSet(ctx, mark, now)",
		},
		{
			restore, "\t\tmoved, err := at.Ledger(ctx, restored.BackupAt",
			"\t\tdieAt(\"import, closed\")\n\t\tmoved, err := at.Ledger(ctx, restored.BackupAt",
		},
		{restore, "\tif len(done.Waiting) > 0 {\n", "\tdieAt(\"import, brought\")\n\tif len(done.Waiting) > 0 {\n"},
		{jobs, "jobLimit  = 30 * time.Second", "jobLimit  = 5 * time.Second"},
		{jobs, "abandoned = 40 * time.Second", "abandoned = 6 * time.Second"},
	}
}

// crashPoint is one place to die, and a payment that passes it.
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
