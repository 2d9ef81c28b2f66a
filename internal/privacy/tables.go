package privacy

import (
	"forecourt/internal/account"
	"forecourt/internal/clock"
	"forecourt/internal/shop"
)

// Table says what a table of the database holds about people. Each of its columns is in exactly one of Person, Secret, Actor, Words and
// Other, which are separated by spaces; a test compares them with the schema. They decide what a copy of somebody's data contains and what
// an erasure removes. The table in docs/security.md is made from them.
type Table struct {
	Name   string
	Of     string // whom it is about; "" is nobody
	Kept   string // how long
	Erased string // what an erasure does to it; "" if Drop says it

	// Account is the column with the id of the account that a row belongs to: rows go into its copy, and Drop deletes them with it.
	Account string
	Drop    bool

	Person string // about a person
	Secret string // never in a copy: hashes, keys, and what is sealed
	Actor  string // the address of an account that did something; an erasure puts a pseudonym there
	Words  string // texts in which somebody may name an address; an erasure removes it
	Other  string // nothing about a person

	// Made lists the columns of rows that the account made (see Actor) that go into its copy.
	Made string
}

// Tables returns every table of the database.
func Tables() []Table { return tables }

var tables = []Table{
	{Name: "account", Of: "a person who signs in", Kept: "until the account is erased", Erased: "a row without name, address and password stays", Account: "id", Person: "email name", Secret: "password_hash", Other: "id staff created_at demo_open verified_at erased_at"},
	{Name: "account_event", Of: "the same: what happened to the account", Kept: "a year", Account: "account_id", Drop: true, Person: "address agent", Other: "id account_id kind created_at"},
	{Name: "session", Of: "the same: browsers that are signed in", Kept: "a day after the last use", Account: "account_id", Drop: true, Person: "address agent", Secret: "id_hash", Other: "handle account_id marks created_at seen_at factor proved_at"},
	{Name: "half_session", Of: "the same: browsers halfway through signing in", Kept: clock.Span(account.HalfFor), Account: "account_id", Drop: true, Secret: "id_hash", Other: "account_id created_at"},
	{Name: "kept", Of: "the same: a form that waits until its sender signs in again or proves who they are", Kept: clock.Spelled(account.KeptFor), Account: "account_id", Drop: true, Secret: "sealed", Other: "id account_id created_at"},
	{Name: "password_reset", Of: "the same: mailed links", Kept: "a day after they expire", Account: "account_id", Drop: true, Secret: "token_hash", Other: "account_id expires_at used_at"},
	{Name: "verification", Of: "the same: mailed links", Kept: "until they expire", Account: "account_id", Drop: true, Secret: "token_hash", Other: "account_id expires_at"},
	{Name: "totp", Of: "the same: its second step", Kept: "while it is on", Account: "account_id", Drop: true, Secret: "sealed next_sealed", Other: "account_id setup_by last_step created_at confirmed_at next_by next_at"},
	{Name: "recovery_code", Of: "the same: its second step", Kept: "while it is on", Account: "account_id", Drop: true, Secret: "code_hash", Other: "account_id used_at"},
	{Name: "passkey", Of: "the same: its passkeys", Kept: "until they are removed", Account: "account_id", Drop: true, Person: "name", Secret: "credential_id public_key", Other: "id account_id rp_id flags sign_count transports created_at used_at"},
	{Name: "passkey_challenge", Of: "the same: what a browser was asked to sign", Kept: clock.Span(account.ChallengeFor), Erased: "expires by itself", Secret: "challenge holder state", Other: "purpose created_at"},
	{Name: "notice_choice", Of: "the same: the notices that it chose", Kept: "while on the team", Account: "account_id", Drop: true, Person: "kind mail push", Other: "client_code account_id"},
	{Name: "notice_browser", Of: "the same: browsers that get messages", Kept: "until they are removed", Account: "account_id", Drop: true, Secret: "push_key", Other: "account_id added_at"},
	{Name: "export", Of: "the same: tables of a business that it asked for", Kept: clock.Span(shop.ExportKeptFor), Account: "account_id", Drop: true, Person: "requested_by", Other: "id client_code account_id kind test_mode since before time_zone after_at after_id parts rows_done rows_total bytes created_at done_at"},
	{Name: "export_part", Of: "payers: a table of payments, with their names", Kept: clock.Span(shop.ExportKeptFor), Erased: "with the export; a payer’s name expires with it", Person: "content", Other: "export_id part_no"},
	{Name: "onboarding", Of: "the same: answers on the way to a merchant", Kept: "180 days after the last change", Account: "account_id", Drop: true, Person: "first_name last_name name answers", Other: "account_id preselected updated_at"},
	{Name: "client_admin", Of: "the same: teams it is on", Kept: "while on the team", Account: "account_id", Drop: true, Person: "role", Other: "client_code account_id joined_at"},
	{Name: "merchant_admin", Of: "the same: dashboards that it may open", Kept: "while it may open them", Account: "account_id", Drop: true, Other: "merchant_uuid account_id"},
	{Name: "compliance_admin", Of: "the same: compliance records that it may open", Kept: "while it may open them", Account: "account_id", Drop: true, Other: "compliance_id account_id"},
	{Name: "data_copy", Of: "the same: copies of its data", Kept: clock.Span(CopyKeptFor), Account: "account_id", Drop: true, Other: "id account_id asked_at done steps try parts bytes ready_at expires_at"},
	{Name: "data_copy_part", Of: "the same: copies of its data", Kept: clock.Span(CopyKeptFor), Erased: "with the copy", Secret: "sealed", Other: "copy_id try n"},
	{Name: "erasure_ask", Of: "a person or a payer who asks to be erased", Kept: "until it is done; " + clock.Span(ConfirmFor) + " without an answer", Erased: "when it is done", Account: "account_id", Secret: "token_hash", Other: "id account_id transaction_id asked_at due_at"},
	{Name: "erasure", Of: "who was erased, by ids alone", Kept: "always", Erased: "stays: it is the list of erasures", Other: "subject erased_at"},
	{Name: "form", Of: "a person: applications, with people behind the business and bank details", Kept: "drafts 180 days; submitted forms seven years", Erased: "drafts and returned ones go; decided ones stay, because the law requires it", Account: "account_id", Person: "data", Actor: "decided_by", Words: "reason", Other: "account_id kind reached state reference handed_in submitted_at decided_at created_at updated_at"},
	{Name: "merchant", Of: "the person who made it", Kept: "while the merchant exists", Erased: "its answers at sign-up are deleted", Account: "uid", Person: "signup_info", Secret: "key_sealed old_key_sealed", Other: "uuid uid code name products mid old_key_until client_code created_at demo_open"},
	{Name: "merchant_invite", Of: "a person invited, and who invited", Kept: "while the dashboard exists", Account: "invited_by", Drop: true, Person: "email", Secret: "token_hash", Other: "id merchant_uuid invited_by created_at expires_at used_at"},
	{Name: "shop_invite", Of: "a person invited, and who invited", Kept: "while the shop exists", Account: "invited_by", Drop: true, Person: "email", Secret: "token_hash", Other: "id client_code role invited_by created_at expires_at used_at"},
	{Name: "invite", Of: "a person with a token of the batch API", Kept: "while the shop exists", Erased: "the token ends, the address goes", Person: "email last_used_address", Secret: "secret_key_hash password_hash token_hash", Other: "doc_id document user_index client_code is_token_generated token_created_at created_at expires_at revoked_at last_used_at"},
	{Name: "kitchen_device", Of: "who connected a screen", Kept: "while the shop exists", Erased: "the screen ends, and nobody is named", Account: "made_by", Secret: "link_hash cookie_hash", Other: "id client_code name link_until made_by created_at opened_at seen_at ended_at"},
	{Name: "compliance_agreement", Of: "who signed a direct debit agreement, from where", Kept: "seven years after it ends", Erased: "stays: it is the mandate that the law requires", Person: "signer_id signer address", Secret: "sealed", Other: "compliance_id text_hash signed_at"},
	{Name: "compliance_person", Of: "people behind a business, sealed", Kept: "seven years; retention deletes what was never accepted", Erased: "goes where it was never accepted and nobody else runs the record; else stays, because the law asks for it", Secret: "sealed", Actor: "decided_by", Words: "reason", Made: "compliance_id number state decided_at", Other: "compliance_id number required state revision changed_at decided_at account_id"},
	{Name: "compliance_image", Of: "their identity documents, sealed", Kept: "90 days if not accepted", Erased: "as for the person", Secret: "sealed", Other: "compliance_id number side"},
	{Name: "audit", Of: "who decided what", Kept: "12 months or more", Erased: "a pseudonym takes the place of the address", Actor: "actor", Words: "subject reason", Made: "id created_at action", Other: "id created_at action"},
	{Name: "go_live", Of: "who asked for and decided on going live", Kept: "while the shop exists", Erased: "a pseudonym takes the place of the address", Actor: "asked_by decided_by", Words: "reason note", Made: "client_code state asked_at", Other: "client_code state asked_at revision"},
	{Name: "client_account", Of: "who entered a gateway account", Kept: "while the shop exists", Erased: "a pseudonym takes the place of the address", Secret: "paylink_pwd pwd_sealed", Actor: "set_by", Made: "client_code live set_at", Other: "client_code live paylink_mid set_at tried_at"},
	{Name: "menu_draft", Of: "who changed a menu", Kept: "while the shop exists", Erased: "a pseudonym takes the place of the address", Actor: "changed_by", Made: "client_code changed_at", Other: "client_code revision body changed_at"},
	{Name: "menu_version", Of: "who published a menu", Kept: "a year after it was replaced", Erased: "a pseudonym takes the place of the address", Actor: "made_by", Made: "client_code no made_at", Other: "client_code no body made_at origin due_at published_at"},
	{Name: "closing", Of: "who closed a day", Kept: "with the books, seven years or more", Erased: "a pseudonym takes the place of the address", Actor: "closed_by", Made: "client_code no day", Other: "client_code test_mode no series day since until_at time_zone business abn totals signature"},
	{Name: "client_event", Of: "a person who joins or leaves a team, by the id of the account", Kept: "400 days", Erased: "the id stays, but belongs to nobody any more", Other: "id client_code subject kind about detail amount_minor currency test_mode happened_at number"},
	{Name: "refund", Of: "who made the refund", Kept: "with the books, seven years or more", Erased: "a pseudonym takes the place of the address; a payer’s name and address go out of the reason", Actor: "requested_by", Words: "reason", Made: "id transaction_id amount_minor currency created_at", Other: "id transaction_id client_code amount_minor currency test_mode state refundid lease_until checks created_at settled_at error_msg gateway attempt_id request trace sent_at"},
	{Name: "mail", Of: "the reader of a letter; its text goes when it is sent", Kept: "30 days", Erased: "letters to the address go; in others it is replaced", Person: "recipient bcc html plain subject", Secret: "file", Other: "id key kind message_id sender file_name test_mode created_at sent_at problem held"},
	{Name: "river_job", Of: "readers of letters that wait", Kept: "a day after it is done", Erased: "jobs that name the address go", Person: "args", Secret: "errors", Other: "id state attempt max_attempts attempted_at created_at finalized_at scheduled_at priority attempted_by kind metadata queue tags unique_key unique_states"},
	{Name: "client", Of: "the address for a business’s receipts", Kept: "while the shop exists", Erased: "goes where it is the account’s, from shops in test mode; live shops change it first", Person: "mail pl_merchant_email", Other: "code name tagline live currency country_code accent logo abn pl_name created_at needs_kitchen time_zone gst_included demo_open hours"},
	{Name: "attempt", Of: "a payer: name, addresses, card brand, last four digits, expiry", Kept: "with the books, seven years or more", Erased: "name, addresses, expiry and the ids of the request and its trace go; brand and last four stay, as the signature of the receipt and disputes need them", Person: "payer_name payer_email consumer_name consumer_email card_brand card_last_four card_expiry redirect_url", Secret: "form_key", Words: "error_msg", Other: "id transaction_id client_code amount_minor currency test_mode method state lease_until checks transactionid code bank_transaction_no gateway_reference created_at settled_at gateway told_minor told_currency captured_minor request trace"},
	{Name: "transaction", Of: "a payer: name and table of an order; a network, hashed, while it is unpaid", Kept: "with the books, seven years or more", Erased: "name, table and push messages go; the payer’s name and address go out of the description", Person: "customer_name table_name push_token origin", Words: "description", Other: "id client_code status amount_minor currency country_code test_mode source client_ref trx_ref approved_attempt transactionid code error_msg created_at expires_at paid_at refunded_minor kind captured_minor"},
	{Name: "order_line", Of: "a payer: notes to the kitchen", Kept: "with the books, seven years or more", Erased: "notes go", Person: "note", Other: "transaction_id line_no client_code item_id name price_minor qty loc picture status done_at options"},
	{Name: "order_key", Of: "a payer: an order that was sent twice", Kept: "24 hours", Secret: "key content_hash", Other: "client_code transaction_id created_at"},
	{Name: "paid_origin", Of: "a payer: a network, hashed", Kept: "until it is counted", Erased: "goes", Person: "origin", Other: "transaction_id created_at"},
	{Name: "paylink", Of: "whom a pay link was mailed to", Kept: "with the books, seven years or more", Erased: "the address goes", Person: "payer_mail pl_merchant_email", Other: "transaction_id client_code pl_name opened_at ended_at mailed_at"},
	{Name: "receipt", Of: "an address that a payer named later; the business’s own", Kept: "with the books, seven years or more", Erased: "the payer’s address goes", Person: "asked_mail merchant_mail", Secret: "token", Other: "transaction_id client_code business abn gst_included time_zone descriptor"},
	{Name: "push_registration", Of: "a payer’s browser", Kept: "60 days after its last visit", Erased: "goes", Person: "endpoint", Secret: "key auth p256dh", Other: "created_at refreshed_at"},
	{Name: "discrepancy", Of: "what the gateway said of an attempt", Kept: "with the books, seven years or more", Erased: "the payer’s name and address go out of it", Words: "detail", Other: "id attempt_id ours theirs created_at"},
	{Name: "unmatched_movement", Other: "kind reference trx_id transactionid amount_minor currency moved_at problem created_at closed_at"},
	{Name: "throttle", Of: "addresses and networks, as keyed hashes", Kept: "a day", Erased: "expires by itself", Secret: "key", Other: "subject count since"},
	{Name: "limit_address", Of: "networks, as keyed hashes", Kept: "an hour", Erased: "expires by itself", Secret: "address secret cards", Other: "since open declined approved clients"},
	{Name: "limit_try", Of: "networks, as keyed hashes", Kept: "an hour", Erased: "expires by itself", Secret: "address card", Other: "attempt since open"},
	{Name: "batch", Secret: "key content_hash", Other: "id client_code created_at"},
	{Name: "first_staff", Secret: "token_hash", Other: "only_one expires_at"},
	{Name: "test_call", Of: "what a merchant’s programs sent to the test gateway, redacted", Kept: "the last hundred of a merchant", Erased: "stays: it is the merchant’s", Person: "body", Other: "id merchant_uuid at method path status note"},
	{Name: "test_payment", Other: "merchant_uuid reference transactionid amount_minor currency last_four statuscode errordesc code bank_no created_at"},
	{Name: "certificate_file", Secret: "sealed", Other: "key changed_at"},
	{Name: "certificate_lock", Other: "name holder ends_at"},
	{Name: "client_event_last", Other: "client_code number"},
	{Name: "closing_entry", Other: "kind id client_code test_mode no"},
	{Name: "notice_day", Other: "client_code day"},
	{Name: "notice_due", Other: "client_code kind after_number due_at told_at"},
	{Name: "receipt_key", Secret: "sealed", Other: "public created_at"},
	{Name: "awaited", Other: "reference kind transaction_id client_code amount_minor currency test_mode moved_at"},
	{Name: "batch_row", Other: "batch_id row_no client_code transaction_id"},
	{Name: "category", Other: "id client_code name position hours"},
	{Name: "compliance", Other: "id name created_at client_code applicant last_number"},
	{Name: "compliance_text", Other: "hash version document"},
	{Name: "dispute", Other: "attempt_id transaction_id client_code amount_minor currency test_mode state due_at opened_at ended_at"},
	{Name: "document", Other: "id version_id"},
	{Name: "document_page", Other: "version_id n content"},
	{Name: "document_version", Other: "id pages characters bytes saved_at"},
	{Name: "goose_db_version", Other: "id version_id is_applied tstamp"},
	{Name: "item", Other: "id client_code category_id name description price_minor picture loc available sold_out position note_max contains may_contain allergens_known diets hours sold_out_until"},
	{Name: "item_option_group", Other: "client_code item_id group_id position"},
	{Name: "kitchen_screen", Other: "client_code seen_at"},
	{Name: "ledger_comparison", Other: "only_row differences ran_at"},
	{Name: "ledger_read", Other: "kind until_at listed_until"},
	{Name: "option_choice", Other: "id client_code group_id name price_minor preset sold_out sold_out_until available position contains may_contain allergens_known"},
	{Name: "option_group", Other: "id client_code name min_choices max_choices position"},
	{Name: "payout", Other: "id client_code currency test_mode gross_minor fees_minor net_minor held_minor paid_at imported_at accepted_at repeated"},
	{Name: "payout_line", Other: "payout_id line_no reference kind"},
	{Name: "picture", Other: "hash client_code small large bytes added_at unused_since"},
	{Name: "refund_limit", Other: "client_code role most_minor"},
	{Name: "refund_line", Other: "refund_id transaction_id line_no qty"},
	{Name: "restore", Other: "id backup_at restored_at reopened_at held"},
	{Name: "river_leader", Other: "elected_at expires_at leader_id name"},
	{Name: "river_migration", Other: "line version created_at"},
	{Name: "river_notification", Other: "id created_at payload topic"},
	{Name: "river_queue", Other: "name created_at metadata paused_at updated_at"},
	{Name: "security_document", Other: "id"},
	{Name: "shop_location", Other: "client_code name position"},
	{Name: "shop_table", Other: "client_code name area position"},
	{Name: "shortlink", Other: "code url expires_at hits created_at demo_open"},
	{Name: "site_nav", Other: "id name old_site position revision"},
	{Name: "site_picture", Other: "hash small large added_at"},
	{Name: "site_slide", Other: "id title sub_title position revision picture"},
	{Name: "unsettled", Other: "reference kind transaction_id client_code amount_minor currency test_mode moved_at"},
}
