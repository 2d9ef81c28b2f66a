package mails

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/books"
	"forecourt/views/desk"
)

// exported says that a long table is ready. Its link works for people who are signed in and may export.
func (l Letters) exported(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[books.ExportData](data)
	if err != nil {
		return nil, err
	}
	row, err := db.New(tx).ExportLetter(ctx, order.Export)
	if err != nil {
		return nil, gone(err)
	}
	business := printable.Unlinked(row.ClientName, receipt.MostBusiness)
	what := strings.ToLower(desk.KindName(row.Kind))
	return note(ctx, row.Email, Note{
		Sender:  l.provider("You are receiving this email because you asked for an export of the books of " + business + "."),
		Subject: "Your export is ready", Heading: "Your export is ready",
		Lines: []string{
			"The table of " + what + " of " + business + " is ready to download. Sign in to open it. We keep " +
				"it for " + clock.Spelled(books.ExportKeptFor) + ".",
		},
		Button: &Button{Label: "Download the export", URL: l.page("desk", row.ClientCode, "exports", row.ID.String())},
		After:  []string{"If you did not ask for it, tell an owner of the business: its log says who did."},
	})
}
