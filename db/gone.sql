-- For programs before 00218_refund_limit.sql. The next version's first migration drops it.
DROP VIEW refund_ceiling;
