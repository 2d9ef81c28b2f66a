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
