-- +goose Up

-- Demo data is marked: true while it works, false where demo mode is off. Null is what people made.
ALTER TABLE account ADD COLUMN demo_open boolean;
ALTER TABLE client ADD COLUMN demo_open boolean;
ALTER TABLE merchant ADD COLUMN demo_open boolean;
ALTER TABLE shortlink ADD COLUMN demo_open boolean;

-- What earlier versions loaded. Nobody has a mail address below .test or .example.
UPDATE account SET demo_open = true WHERE email IN ('demo@forecourt.test', 'staff@forecourt.test');
UPDATE client SET demo_open = true
WHERE code IN ('panezski', 'moollar', 'sabona', 'tahbella')
  AND (mail LIKE '%.example' OR EXISTS (
      SELECT FROM client_admin x JOIN account a ON a.id = x.account_id
      WHERE x.client_code = client.code AND a.email = 'demo@forecourt.test'));
UPDATE merchant SET demo_open = true WHERE uuid = '5f0c1f3e-8f5e-4a52-9b1d-3b7f4a6c2d10';
UPDATE client SET demo_open = true
WHERE code IN (SELECT m.client_code FROM merchant m WHERE m.uuid = '5f0c1f3e-8f5e-4a52-9b1d-3b7f4a6c2d10');
UPDATE shortlink SET demo_open = true WHERE code = 'demo' AND url = '/pos/panezski';

-- +goose Down
ALTER TABLE shortlink DROP COLUMN demo_open;
ALTER TABLE merchant DROP COLUMN demo_open;
ALTER TABLE client DROP COLUMN demo_open;
ALTER TABLE account DROP COLUMN demo_open;
