-- name: OnboardingGet :one
SELECT * FROM onboarding WHERE account_id = @account_id;

-- name: OnboardingPutNames :exec
INSERT INTO onboarding (account_id, first_name, last_name, name) VALUES (@account_id, @first_name, @last_name, @name)
ON CONFLICT (account_id) DO UPDATE
SET first_name = excluded.first_name, last_name = excluded.last_name, name = excluded.name, updated_at = now();

-- name: OnboardingPutAnswer :execrows
-- Zero rows: there is no draft, because the merchant was made.
UPDATE onboarding SET answers = answers || jsonb_build_object(@question::text, @answer::text), updated_at = now()
WHERE account_id = @account_id;

-- name: OnboardingPutPreselected :exec
INSERT INTO onboarding (account_id, preselected) VALUES (@account_id, @preselected)
ON CONFLICT (account_id) DO UPDATE SET preselected = excluded.preselected, updated_at = now();

-- name: OnboardingTake :one
-- The request that gets the row makes the merchant. No row: another request got it first.
DELETE FROM onboarding WHERE account_id = @account_id RETURNING *;

-- name: OnboardingOldCount :one
-- Counts drafts that nobody has continued for that many days.
SELECT count(*) FROM onboarding WHERE updated_at < now() - make_interval(days => @days::int);

-- name: OnboardingPrune :execrows
WITH old AS (
    SELECT account_id FROM onboarding WHERE updated_at < now() - make_interval(days => @days::int)
    LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM onboarding USING old WHERE onboarding.account_id = old.account_id;
