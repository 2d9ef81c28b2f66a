-- name: ComplianceImagePut :exec
INSERT INTO compliance_image (compliance_id, number, side, sealed) VALUES (@compliance_id, @number, @side, @sealed)
ON CONFLICT (compliance_id, number, side) DO UPDATE SET sealed = excluded.sealed;

-- name: ComplianceImageDrop :execrows
DELETE FROM compliance_image WHERE compliance_id = @compliance_id AND number = @number AND side = @side;

-- name: ComplianceImageGet :one
SELECT sealed FROM compliance_image WHERE compliance_id = @compliance_id AND number = @number AND side = @side;

-- name: ComplianceImageGetOwn :one
-- A picture, for an admin of the record only.
SELECT i.sealed FROM compliance_image i JOIN compliance_admin a ON a.compliance_id = i.compliance_id
WHERE i.compliance_id = @compliance_id AND i.number = @number AND i.side = @side AND a.account_id = @account_id;

-- name: ComplianceImageOld :many
-- Lists people whose pictures are no longer needed, if days or accepted_days is above 0: drafts and returned ones that nobody has touched
-- for days, those that have waited so long in a record without an admin, and those accepted more than accepted_days ago.
SELECT p.compliance_id, p.number, p.state, p.revision,
       (SELECT count(*) FROM compliance_image i WHERE i.compliance_id = p.compliance_id AND i.number = p.number) AS pictures
FROM compliance_person p
WHERE EXISTS (SELECT FROM compliance_image i WHERE i.compliance_id = p.compliance_id AND i.number = p.number)
  AND CASE p.state
      WHEN 'accepted' THEN @accepted_days::int > 0 AND p.decided_at < now() - make_interval(days => @accepted_days::int)
      WHEN 'waiting' THEN @days::int > 0 AND p.changed_at < now() - make_interval(days => @days::int)
          AND NOT EXISTS (SELECT FROM compliance_admin a WHERE a.compliance_id = p.compliance_id)
      WHEN 'returned' THEN @days::int > 0 AND p.changed_at < now() - make_interval(days => @days::int)
          AND p.decided_at < now() - make_interval(days => @days::int)
      ELSE @days::int > 0 AND p.changed_at < now() - make_interval(days => @days::int) END
ORDER BY p.compliance_id, p.number;

-- name: ComplianceImagePrune :execrows
-- Zero rows: the person was changed since.
WITH p AS (
    SELECT compliance_id, number FROM compliance_person
    WHERE compliance_person.compliance_id = @compliance_id AND compliance_person.number = @number
      AND state = @state AND revision = @revision
    FOR UPDATE
)
DELETE FROM compliance_image i USING p WHERE i.compliance_id = p.compliance_id AND i.number = p.number;
