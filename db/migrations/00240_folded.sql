-- +goose Up
-- folded returns a text as people search for it: without accents and capitals, and with one kind of apostrophe.
-- +goose StatementBegin
CREATE FUNCTION folded(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT translate(replace(replace(replace(
        lower(regexp_replace(normalize(replace($1, '´', ''''), NFKD), '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]', '', 'g')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
        '’‘ʼ`øłđðıŧħ', '''''''''olddith')
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION folded(text);
