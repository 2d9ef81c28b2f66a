package payment

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/run/mail"
)

// LetterDecided tells a member of staff what another one has decided about money; its data is DecidedData.
const LetterDecided = "payment decided"

// DecidedData is what LetterDecided needs.
type DecidedData struct {
	To         string
	Of         uuid.UUID // the attempt or refund; of a case, perhaps neither
	Subject    string    // of a case its subject, else ""
	End        End
	By, Reason string
	Says       string // what the gateway said
	Overruled  bool   // the gateway did not confirm it
}

// overrule sets the answer's Overruled if the person who decides has seen what it says. Errors: AgainstError.
func (d Decision) overrule(answer *Answer) error {
	if says := answer.Says(); d.Seen != says {
		return &AgainstError{says}
	}
	answer.Overruled = true
	return nil
}

// decided is a decision that was carried out.
type decided struct {
	Action    string // for the audit log
	Says      string // what the gateway said
	Overruled bool   // the gateway did not confirm it
}

// record writes a decision to the audit log, and tells all staff.
func (p *Payments) record(ctx context.Context, tx pgx.Tx, d Decision, done decided) error {
	queries := p.queries.WithTx(tx)
	if done.Overruled {
		if err := p.audit(ctx, queries, d, "decide against the gateway", "The gateway says: "+done.Says); err != nil {
			return err
		}
	}
	if err := p.audit(ctx, queries, d, done.Action, d.Reason); err != nil {
		return err
	}
	return p.tellStaff(ctx, tx, d, done)
}

func (p *Payments) audit(ctx context.Context, queries *db.Queries, d Decision, action, reason string) error {
	return queries.AuditAdd(ctx, db.AuditAddParams{Actor: d.By, Action: action, Subject: d.Of.String(), Reason: reason})
}

// tellStaff queues a letter to every member of staff.
func (p *Payments) tellStaff(ctx context.Context, tx pgx.Tx, d Decision, done decided) error {
	if p.cfg.Mail == nil {
		return nil
	}
	staff, err := p.queries.WithTx(tx).StaffMails(ctx)
	if err != nil {
		return err
	}
	key := "decided/" + d.Of.String() + "/" + uuid.NewString() + "/" // the same decision may be made twice
	letters := make([]mail.Request, len(staff))
	for i, to := range staff {
		letters[i] = mail.Request{Kind: LetterDecided, Key: key + to, Data: DecidedData{
			To: to, Of: d.Of, Subject: d.Subject, End: d.End, By: d.By, Reason: d.Reason, Says: done.Says, Overruled: done.Overruled,
		}}
	}
	return p.cfg.Mail.Add(ctx, tx, letters...)
}
