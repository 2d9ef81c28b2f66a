-- name: NoticeDueAdd :exec
-- Notes that a team has to be notified of a business's events after a number. The first event is sent at once; events within a pause after a
-- letter wait for the next one.
INSERT INTO notice_due (shop_code, kind, after_number, due_at)
VALUES (@shop_code, @kind, @after_number, now())
ON CONFLICT (shop_code, kind) DO UPDATE
SET after_number = CASE WHEN notice_due.due_at IS NULL THEN excluded.after_number ELSE notice_due.after_number END,
    due_at = coalesce(notice_due.due_at, greatest(now(), notice_due.told_at + @pause::interval));

-- name: NoticeDueTake :one
-- Takes the events of which a team may be notified now, and locks them until the transaction ends.
SELECT shop_code, kind, after_number FROM notice_due WHERE due_at <= @now::timestamptz ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- name: NoticeDueTold :exec
UPDATE notice_due SET after_number = @until_number, told_at = @now::timestamptz, due_at = NULL WHERE shop_code = @shop_code AND kind = @kind;

-- name: NoticeEventSum :many
-- Counts the events after a number, in each mode that has any. amount_minor, currency and kind are those of one event, since several are
-- not added up.
SELECT e.test_mode, max(e.number)::bigint AS last_number, count(*) AS events, coalesce(min(e.amount_minor), 0)::bigint AS amount_minor,
       max(e.currency)::text AS currency, min(e.kind)::text AS kind
FROM shop_event e WHERE e.shop_code = @shop_code AND e.number > @after_number::bigint AND e.kind = ANY (@kinds::text[])
GROUP BY e.test_mode ORDER BY e.test_mode;

-- name: NoticeEventList :many
-- The events that a letter lists, in order.
SELECT e.kind, e.subject, coalesce(e.amount_minor, 0)::bigint AS amount_minor, e.currency, e.happened_at
FROM shop_event e JOIN shop c ON c.code = e.shop_code
WHERE e.shop_code = @shop_code AND e.number > @after_number::bigint AND e.number <= @until_number::bigint AND e.kind = ANY (@kinds::text[])
  AND e.test_mode = @test_mode
ORDER BY e.number LIMIT @at_most;

-- name: NoticeMemberList :many
-- The team of a business, with each member's choice for a kind of notice; null means the role's default. Only a verified address gets mail.
SELECT a.id, m.role, n.mail, n.push, (a.verified_at IS NOT NULL)::boolean AS verified, (a.email = lower(c.mail))::boolean AS is_business, sqlc.embed(c)
FROM shop_member m
JOIN account a ON a.id = m.account_id
JOIN shop c ON c.code = m.shop_code
LEFT JOIN notice_choice n ON n.shop_code = m.shop_code AND n.account_id = m.account_id AND n.kind = @kind
WHERE m.shop_code = @shop_code AND a.demo_open IS NOT FALSE AND c.demo_open IS NOT FALSE
ORDER BY m.joined_at, a.id;

-- name: NoticeTo :one
-- Returns where a letter to a member goes. No row: the person has left.
SELECT a.email, c.name, c.time_zone, c.currency FROM shop_member m
JOIN account a ON a.id = m.account_id
JOIN shop c ON c.code = m.shop_code
WHERE m.shop_code = @shop_code AND m.account_id = @account_id AND a.verified_at IS NOT NULL;

-- name: NoticeChoiceList :many
SELECT kind, mail, push FROM notice_choice WHERE shop_code = @shop_code AND account_id = @account_id;

-- name: NoticeChoiceSet :exec
INSERT INTO notice_choice (shop_code, account_id, kind, mail, push) VALUES (@shop_code, @account_id, @kind, @mail, @push)
ON CONFLICT (shop_code, account_id, kind) DO UPDATE SET mail = excluded.mail, push = excluded.push;

-- name: NoticeBrowserAdd :execrows
-- Adds the browser of a registration, unless the account already has ten others. Zero rows: it has ten, or there is no such registration.
INSERT INTO notice_browser (push_key, account_id)
SELECT r.key, @account_id::uuid FROM push_registration r
WHERE r.key = @push_key AND (SELECT count(*) FROM notice_browser b WHERE b.account_id = @account_id::uuid AND b.push_key <> r.key) < 10
ON CONFLICT (push_key) DO UPDATE SET account_id = excluded.account_id, added_at = now();

-- name: NoticeBrowserList :many
SELECT push_key FROM notice_browser WHERE account_id = @account_id ORDER BY added_at, push_key;

-- name: NoticeBrowserDrop :exec
DELETE FROM notice_browser WHERE account_id = @account_id;

-- name: NoticeBrowserForget :exec
-- Stops the messages in one browser, whosever they are.
DELETE FROM notice_browser WHERE push_key = @push_key;

-- name: NoticeDayList :many
-- Lists the businesses that have not yet got the summary of a day (2026-11-22), with the last day that each got; "" means none.
SELECT c.code, c.time_zone, coalesce(to_char(d.day, 'YYYY-MM-DD'), '')::text AS day
FROM shop c LEFT JOIN notice_day d ON d.shop_code = c.code
WHERE (d.day IS NULL OR d.day < (@day::text)::date) AND c.demo_open IS NOT FALSE ORDER BY c.code;

-- name: NoticeDaySet :execrows
-- Zero rows: that day or a later one was already summed up.
INSERT INTO notice_day (shop_code, day) VALUES (@shop_code, (@day::text)::date)
ON CONFLICT (shop_code) DO UPDATE SET day = excluded.day WHERE notice_day.day < excluded.day;
