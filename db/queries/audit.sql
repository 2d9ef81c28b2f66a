-- name: AuditAdd :exec
INSERT INTO audit (actor, action, subject, reason) VALUES (@actor, @action, @subject, @reason);

-- name: AuditListBySubject :many
-- Lists what happened to a subject, newest first.
SELECT created_at, actor, action, reason FROM audit WHERE subject = @subject ORDER BY id DESC LIMIT @at_most;

-- name: AuditLook :exec
-- Records that somebody looked at a page of something, unless that was recorded within the time again_after.
INSERT INTO audit (actor, action, subject, reason)
SELECT @actor, 'look', @subject, @page::text
WHERE NOT EXISTS (SELECT FROM audit a WHERE a.subject = @subject AND a.action = 'look' AND a.actor = @actor AND a.reason = @page::text
  AND a.created_at > now() - @again_after::interval);

-- name: AuditListLooks :many
SELECT a.id, a.created_at, a.reason FROM audit a WHERE a.subject = @subject AND a.action = 'look' AND a.id < @before ORDER BY a.id DESC LIMIT @at_most;

-- name: AttemptListUndecided :many
-- Attempts that a person may decide, oldest first.
SELECT a.id, a.transaction_id, a.shop_code, a.amount_minor, a.currency, a.test_mode, a.method, a.state, a.gateway, a.told_minor, a.told_currency, a.error_msg, a.created_at,
       c.name AS shop_name
FROM ( -- each part by its own index
    SELECT * FROM attempt m WHERE m.state = 'manual'
    UNION ALL
    SELECT * FROM attempt o WHERE o.state IN ('submitting', 'redirected', 'unknown')
) a
JOIN shop c ON c.code = a.shop_code
WHERE attempt_waits(a.state, a.created_at, a.gateway, @gateways::text[])
ORDER BY a.created_at;

-- name: AttemptWatch :one
-- Returns the figures for metrics and alerts.
SELECT
    (SELECT count(*) FROM attempt WHERE state IN ('submitting', 'redirected', 'unknown'))::bigint AS open,
    (SELECT count(*) FROM attempt WHERE state = 'manual')::bigint AS manual,
    coalesce((SELECT extract(epoch FROM now() - min(created_at)) FROM attempt
        WHERE state IN ('submitting', 'unknown')), 0)::float8 AS oldest_seconds,
    coalesce((SELECT extract(epoch FROM now() - min(lease_until)) FROM attempt
        WHERE state IN ('submitting', 'redirected', 'unknown') AND lease_until < now()), 0)::float8 AS lag_seconds,
    (SELECT count(*) FROM refund WHERE state IN ('open', 'pending'))::bigint AS refunds_open,
    (SELECT count(*) FROM refund WHERE state = 'manual')::bigint AS refunds_manual,
    coalesce((SELECT extract(epoch FROM now() - min(created_at)) FROM refund WHERE state = 'open'), 0)::float8 AS refund_oldest_seconds,
    coalesce((SELECT extract(epoch FROM now() - min(created_at)) FROM refund WHERE state = 'pending'), 0)::float8 AS refund_pending_oldest_seconds,
    (SELECT count(*) FROM restore WHERE reopened_at IS NULL OR held)::bigint AS closed,
    (SELECT count(*) FROM transaction WHERE differences <> '[]')::bigint + (SELECT count(*) FROM ledger_entry WHERE problem <> '')::bigint AS cases,
    (SELECT count(*) FROM dispute WHERE state = 'opened')::bigint AS disputes_opened,
    (SELECT count(*) FROM dispute WHERE state = 'won')::bigint AS disputes_won,
    (SELECT count(*) FROM dispute WHERE state = 'lost')::bigint AS disputes_lost,
    (SELECT count(*) FROM owed o WHERE o.late)::bigint AS unsettled,
    coalesce((SELECT extract(epoch FROM min(k.at)) FROM (SELECT max(r.began_at) AS at FROM ledger_reading r GROUP BY r.kind) k),
        extract(epoch FROM pg_postmaster_start_time()))::float8 AS read_at,
    (SELECT count(*) FROM payout_in_doubt)::bigint AS payout_doubts,
    (SELECT count(*) FROM transaction t WHERE t.status = 'processing' AND NOT EXISTS (
        SELECT FROM attempt a WHERE a.transaction_id = t.id
          AND a.state IN ('submitting', 'redirected', 'unknown', 'manual')))::bigint AS orphans;
