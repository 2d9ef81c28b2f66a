\set n random(1, 9223372036854775806)
BEGIN;
SELECT id, name, price_minor, loc, picture FROM item WHERE shop_code = 'panezski' AND id IN (:item1, :item2, :item3) AND available AND NOT sold_out;
INSERT INTO transaction (id, shop_code, amount_minor, currency, country_code, test_mode, source, table_name, expires_at)
    VALUES (lpad(:n::text, 26, '0'), 'panezski', 3000, 'AUD', 'AU', true, 'diy-pos', '4', now() + interval '2 hours');
INSERT INTO order_key (shop_code, key, content_hash, transaction_id)
    VALUES ('panezski', lpad(:n::text, 26, '0'), sha256('an order'), lpad(:n::text, 26, '0'));
INSERT INTO order_line (transaction_id, line_no, shop_code, item_id, name, price_minor, qty, loc, picture)
    VALUES (lpad(:n::text, 26, '0'), 1, 'panezski', :item1, 'Twin Baguettes', 1000, 1, 'kitchen', '');
INSERT INTO order_line (transaction_id, line_no, shop_code, item_id, name, price_minor, qty, loc, picture)
    VALUES (lpad(:n::text, 26, '0'), 2, 'panezski', :item2, 'Twin Baguettes', 1000, 1, 'kitchen', '');
INSERT INTO order_line (transaction_id, line_no, shop_code, item_id, name, price_minor, qty, loc, picture)
    VALUES (lpad(:n::text, 26, '0'), 3, 'panezski', :item3, 'Twin Baguettes', 1000, 1, 'kitchen', '');
COMMIT;
BEGIN;
SELECT amount_minor, currency, test_mode FROM transaction WHERE id = lpad(:n::text, 26, '0') AND shop_code = 'panezski' AND status = 'new' FOR UPDATE;
INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until,
        card_brand, card_last_four, card_expiry, payer_name)
    VALUES (md5(:n::text)::uuid, lpad(:n::text, 26, '0'), 'panezski', 3000, 'AUD', true, 'card', lpad(:n::text, 26, '0'),
        now() + interval '15 seconds', 'visa', '1111', '12/99', 'Ann Bench');
UPDATE transaction SET status = 'processing', error_msg = '' WHERE id = lpad(:n::text, 26, '0');
COMMIT;
BEGIN;
SELECT status, approved_attempt FROM transaction WHERE id = lpad(:n::text, 26, '0') FOR UPDATE;
UPDATE attempt SET state = 'approved', settled_at = now(), transactionid = md5(:n::text), code = '00', error_msg = ''
    WHERE id = md5(:n::text)::uuid AND state = 'submitting';
UPDATE transaction SET status = 'success', approved_attempt = md5(:n::text)::uuid, paid_at = now(), transactionid = md5(:n::text), code = '00',
    error_msg = '' WHERE id = lpad(:n::text, 26, '0');
COMMIT;
