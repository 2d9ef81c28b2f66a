package mail

import "forecourt/db"

// What the database says about mails.
type (
	// Kept is a mail with its text and its file.
	Kept = db.Mail
	// Listed is a mail in a list, without them.
	Listed = db.MailListRow
)
