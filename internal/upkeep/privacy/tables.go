package privacy

// table says what one table of the database holds of people: how to find a person's rows, what a copy of their data has of them, and what
// an erasure does. A table that holds nothing of a person is named in tables_test.go.
type table struct {
	name string

	// own is the column with the id of the account that a row belongs to, or mine another condition for its rows, where @id is the account.
	own, mine string
	drop      bool   // an erasure deletes the account's rows
	blank     string // what an erasure sets in them instead
	gives     string // the columns that a copy has of them
	typed     bool   // the person typed all of it, so no address in it is masked
	most      string // how many rows a person, or their business, can make; it is enforced where they are made

	// by lists the columns with the address of an account that did something. An erasure puts a pseudonym there, and removes the address from
	// texts, in which somebody may name it. A copy has the columns in did of such rows.
	by, texts, did string

	// found is a condition for rows that belong to the reader of the address @email. An account has them only if it confirmed its address: a
	// copy the columns in sent, and an erasure also removes the address from texts of other rows.
	found, sent string

	// paid is a condition for the rows about the payer of @transaction, whose erasure also removes the payer's names from texts; a payer's
	// copy has the columns in shows of them.
	paid, shows string

	empty string // what an erasure sets in rows of found and paid, instead of deleting them

	stays string // why rows, or some of them, stay when their person is erased
}

// Conditions that several tables share.
const (
	// shops are those that the account works for.
	shops = `(SELECT shop_code FROM shop_member WHERE account_id = @id
		UNION SELECT b.code FROM merchant_admin d JOIN merchant b ON b.uuid = d.merchant_uuid WHERE d.account_id = @id)`
	// alone are the compliance records that nobody else may open.
	alone = `(SELECT m.compliance_id FROM compliance_admin m WHERE m.account_id = @id AND NOT EXISTS
		(SELECT FROM compliance_admin o WHERE o.compliance_id = m.compliance_id AND o.account_id <> @id))`
	byTransaction = "transaction_id = @transaction"
	// argsText are a job's arguments as text in which a line break ends a word.
	argsText  = `regexp_replace(args::text, '\\[nrt]', ' ', 'g')`
	ofAttempt = "attempt_id IN (SELECT id FROM attempt WHERE transaction_id = @transaction)"
)

// changed bounds tables that are written with each change at the desk.
const changed = "20,000 changes a day of a person"

// keep, as what an erasure sets, leaves everything but the texts.
const keep = "-"

// Reasons why rows stay.
const (
	books   = "the books, seven years or more"
	law     = "the law requires them for seven years"
	expires = "it expires by itself within days"
)

var tables = []table{
	{
		name: "account", most: "30 an hour from a network", own: "id", gives: "id, email, name, staff, created_at, verified_at", typed: true,
		stays: "without name, address and password, for the rows that refer to it",
	},
	{
		name: "account_event", most: "10,000 of an account, of failures one an hour and kind", own: "account_id", drop: true,
		gives: "kind, address, agent, count, created_at",
	},
	{
		name: "session", most: "100 of an account", own: "account_id", drop: true,
		gives: "address, agent, marks, created_at, seen_at, factor, proved_at",
	},
	{name: "half_session", most: "they end after ten minutes", own: "account_id", drop: true},
	{name: "kept", most: "5 of an account", own: "account_id", drop: true, gives: "created_at"},
	{
		name: "password_reset", most: "1 of an account, or the letters written at once", own: "account_id", drop: true,
		gives: "expires_at, used_at",
	},
	{name: "verification", most: "5 a day of an account", own: "account_id", drop: true, gives: "expires_at"},
	{name: "totp", most: "1 of an account", own: "account_id", drop: true, gives: "created_at, confirmed_at"},
	{name: "recovery_code", most: "10 of an account", own: "account_id", drop: true, gives: "used_at"},
	{name: "passkey", most: "20 of an account", own: "account_id", drop: true, gives: "name, rp_id, transports, created_at, used_at"},
	{name: "passkey_challenge", stays: expires},
	{name: "notice_choice", most: "one for each shop and kind", own: "account_id", drop: true, gives: "shop_code, kind, mail, push"},
	{name: "notice_browser", most: "10 of an account", own: "account_id", drop: true, gives: "added_at"},
	{
		name: "export", most: "those of a shop that are trimmed", own: "account_id", drop: true,
		gives: "requested_by, shop_code, kind, test_mode, since, before, rows_total, bytes, created_at, done_at",
	},
	{name: "export_part", stays: expires + ", or goes with the account that asked for it"},
	{
		name: "onboarding", most: "1 of an account", own: "account_id", drop: true, typed: true,
		gives: "first_name, last_name, name, answers, preselected, updated_at",
	},
	// The rows below until compliance_image are found by those of shop_member, merchant_admin and compliance_admin, so they come first.
	{
		name: "shop", most: "20 a day of a person", mine: "code IN " + shops + " AND @email IN (lower(mail), lower(pl_merchant_email))",
		blank: `mail = CASE WHEN lower(mail) = @email THEN '' ELSE mail END,
			pl_merchant_email = CASE WHEN lower(pl_merchant_email) = @email THEN '' ELSE pl_merchant_email END`,
	},
	{
		name: "receipt", most: "one for each payment", mine: "shop_code IN " + shops + " AND lower(merchant_mail) = @email",
		blank: "merchant_mail = ''",
		paid:  byTransaction + " AND asked_mail IS NOT NULL", empty: "asked_mail = NULL", stays: books,
	},
	{
		name: "paylink", most: "1,000 a day of a shop in test mode",
		mine: "shop_code IN " + shops + " AND lower(pl_merchant_email) = @email", blank: "pl_merchant_email = ''",
		paid: byTransaction, empty: "payer_mail = ''", stays: books, shows: "payer_mail",
	},
	{
		name: "compliance_person", most: "one for each person asked",
		mine: "state <> 'accepted' AND (account_id = @id OR compliance_id IN " + alone + ")", drop: true,
		by: "decided_by", texts: "reason", did: "compliance_id, number, state, decided_at, reason", stays: law,
	},
	{name: "compliance_image", stays: "goes with its person; " + law},
	{name: "compliance_agreement", stays: "the mandate that a person signed: " + law},
	{
		name: "shop_member", most: "one for each invitation that was accepted", own: "account_id", drop: true,
		gives: "shop_code, role, joined_at",
	},
	{name: "merchant_admin", most: "the same", own: "account_id", drop: true, gives: "merchant_uuid"},
	{name: "compliance_admin", most: "the same", own: "account_id", drop: true, gives: "compliance_id"},
	{
		name: "form", most: "one of each kind of an account, and what staff decided", own: "account_id", typed: true,
		gives: "kind, state, reference, data, reason, submitted_at, decided_at, created_at, updated_at",
		by:    "decided_by", texts: "reason", stays: law + " once they are decided; the others go",
	},
	{
		name: "form", most: "one of each kind of an account, and what staff decided",
		mine: "account_id = @id AND state IN ('draft', 'returned')", drop: true,
	},
	{
		name: "merchant", most: "20 a day of a person", own: "uid", blank: "signup_info = '{}'", typed: true,
		gives: "uuid, code, name, products, mid, signup_info, created_at",
	},
	{
		name: "merchant_invite", most: "20 a day of a person", own: "invited_by", drop: true, found: "email = @email",
		gives: "merchant_uuid, email, created_at, expires_at, used_at",
	},
	{
		name: "shop_invite", most: "20 a day of a person", own: "invited_by", drop: true, found: "email = @email",
		gives: "shop_code, email, role, created_at, expires_at, used_at",
	},
	{
		name: "invite", found: "email = @email", stays: "without address: the token ends",
		empty: "email = @instead::text || '@erased.invalid', revoked_at = coalesce(revoked_at, now()), last_used_address = ''",
	},
	{
		name: "kitchen_device", most: "20 of a shop, and the last 100 that ended", own: "made_by",
		blank: "made_by = NULL, ended_at = coalesce(ended_at, now())", gives: "shop_code, name, created_at, seen_at, ended_at",
	},
	{name: "erasure_ask", most: "1 of an account", own: "account_id", drop: true, gives: "asked_at, due_at", paid: byTransaction},
	{name: "erasure", stays: "who was erased, by ids alone"},
	{
		name: "mail", found: "lower(recipient) = @email",
		sent: "kind, subject, created_at, sent_at, held", texts: "plain, html, subject",
	},
	// A running job is deleted a day after it ends.
	{name: "river_job", found: "kind = 'mail' AND state <> 'running' AND erase_words(" + argsText + ", @email, '') <> " + argsText},
	{
		name: "audit", most: changed, by: "actor", texts: "subject, reason", did: "id, created_at, action, subject, reason",
		stays: "with a pseudonym; only a function of the database may change it",
	},
	{
		name: "go_live", by: "asked_by, decided_by", texts: "reason, note",
		did: "shop_code, state, asked_at, reason, note",
	},
	{
		name: "payout_account", by: "asked_by, decided_by", texts: "reason", did: "shop_code, asked_at, passed_at, reason",
		stays: "where money was paid: " + law,
	},
	{name: "shop_account", by: "set_by", did: "shop_code, live, set_at"},
	{name: "menu_draft", most: "1 of a shop", by: "changed_by", did: "shop_code, changed_at"},
	{name: "menu_version", most: "the latest 100 of a shop", by: "made_by", did: "shop_code, no, made_at"},
	{name: "closing", by: "closed_by", did: "shop_code, no, day", stays: books},
	{
		name: "refund", by: "requested_by", texts: "reason",
		did: "id, transaction_id, amount_minor, currency, created_at, reason", paid: byTransaction, empty: keep, stays: books,
		shows: "id, amount_minor, currency, state, created_at, settled_at",
	},
	{
		name: "refund_ask", most: "one for each payment", by: "asked_by, refused_by", texts: "reason",
		did: "transaction_id, amount_minor, asked_at, reason", paid: byTransaction, empty: keep, stays: books,
	},
	{
		name: "shop_event", most: "those of its payments, of each one once, and " + changed,
		stays: "who joined or left a team, by an id that belongs to nobody any more",
	},
	{name: "menu_edit", most: changed, stays: "who changed a part of a menu, by an id that belongs to nobody any more"},

	// Payers alone. Brand and last four digits of a card stay: the receipt's signature covers them, and disputes are matched by them.
	{
		name: "attempt", most: "100 declines an hour of a transaction in test mode", texts: "error_msg", paid: byTransaction, stays: books,
		empty: `payer_name = '', payer_email = '', consumer_name = '', consumer_email = '', card_expiry = '', redirect_url = '',
			request = '', trace = ''`,
		shows: `id, state, method, amount_minor, captured_minor, currency, payer_name, payer_email, consumer_name, consumer_email, card_brand,
			card_last_four, card_expiry, created_at, settled_at`,
	},
	{
		name: "order_line", paid: byTransaction, empty: "note = ''", stays: books,
		shows: "line_no, name, options, note, qty, refunded_qty, price_minor, status",
	},
	{name: "order_key", paid: byTransaction},
	{name: "paid_origin", paid: byTransaction},
	{name: "push_registration", paid: "key = (SELECT push_token FROM transaction WHERE id = @transaction)"},
	{
		name: "transaction", texts: "description", paid: "id = @transaction", stays: books,
		empty: "customer_name = '', table_name = '', push_token = '', origin = NULL",
		shows: "id, kind, description, amount_minor, currency, customer_name, table_name, test_mode, created_at, paid_at",
	},

	{name: "throttle", stays: expires},
	{name: "limit_address", stays: expires},
	{name: "limit_try", stays: expires},
	{
		name: "test_call", most: "the last hundred of a merchant",
		stays: "what a merchant's programs sent to the test gateway, redacted: the last hundred",
	},
}
