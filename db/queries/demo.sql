-- name: DemoSetOpen :exec
-- Switches the demo data on or off. Switching it off ends the sessions of all demo accounts.
WITH accounts AS (UPDATE account SET demo_open = @open::boolean WHERE demo_open <> @open::boolean),
     shops AS (UPDATE shop SET demo_open = @open::boolean WHERE demo_open <> @open::boolean),
     merchants AS (UPDATE merchant SET demo_open = @open::boolean WHERE demo_open <> @open::boolean),
     links AS (UPDATE shortlink SET demo_open = @open::boolean WHERE demo_open <> @open::boolean)
DELETE FROM session USING account a WHERE a.id = session.account_id AND a.demo_open IS NOT NULL AND NOT @open::boolean;
