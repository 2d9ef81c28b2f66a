package handlers_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// books returns the rows of every transaction and attempt as text.
func books(t *testing.T, app *apptest.App) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, `SELECT concat_ws(E'\n',
		(SELECT string_agg(t::text, E'\n' ORDER BY id) FROM transaction t), (SELECT string_agg(a::text, E'\n' ORDER BY id) FROM attempt a))`)
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write([]byte(text))
	check.Must(t, w.Close())
	return out.String()
}

// TestInvalidPaymentsChangeNothing sends bodies with every kind of mistake to an order that can be paid.
func TestInvalidPaymentsChangeNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	const number = "4929180374652816"
	valid := map[string]any{"merchantId": "panezski", "trxId": id, "cardholder": "Pat Payer", "pan": number, "exp": "12/34", "cvc": "7391", "cEmail": "pat@example.com"}
	whole, err := json.Marshal(valid)
	check.Must(t, err)
	body := string(whole)
	with := func(field, value string) string {
		changed := map[string]json.RawMessage{}
		for name, v := range valid {
			changed[name], _ = json.Marshal(v)
		}
		changed[field] = json.RawMessage(value)
		text, err := json.Marshal(changed)
		if err != nil {
			return strings.Replace(body, `"exp":"12/34"`, `"exp":`+value, 1) // no encoder writes this JSON
		}
		return string(text)
	}

	type wrong struct {
		name, media, body string
		header            http.Header
		status            string // any one of these
	}
	all := []wrong{
		{name: "empty", media: jsonType, status: "400"},
		{name: "blank", media: jsonType, body: " \n", status: "400"},
		{name: "null", media: jsonType, body: "null", status: "422"},
		{name: "an empty object", media: jsonType, body: "{}", status: "422"},
		{name: "an array with the body", media: jsonType, body: "[" + body + "]", status: "400"},
		{name: "the body as a string", media: jsonType, body: `"x"`, status: "400"},
		{name: "cut off", media: jsonType, body: body[:len(body)-2], status: "400"},
		{name: "text after it", media: jsonType, body: body + "x", status: "400"},
		{name: "a brace after it", media: jsonType, body: body + "}", status: "400"},
		{name: "NUL behind it", media: jsonType, body: body + "\x00", status: "400"},
		{name: "twice", media: jsonType, body: body + body, status: "400"},
		{name: "a comment in it", media: jsonType, body: "/* */" + body, status: "400"},
		{name: "single quotes", media: jsonType, body: strings.ReplaceAll(body, `"`, `'`), status: "400"},
		{name: "a number twice", media: jsonType, body: strings.Replace(body, "{", `{"pan":"5555555555554444",`, 1), status: "400"},
		{name: "a transaction twice", media: jsonType, body: strings.Replace(body, "{", `{"TrxId":"other",`, 1), status: "400"},
		{name: "broken UTF-8 in a name", media: jsonType, body: strings.Replace(body, "Pat", "Pat\xff", 1), status: "400"},
		{name: "half a surrogate pair", media: jsonType, body: strings.Replace(body, "pat@", `\ud800@@`, 1), status: "422"},
		{name: "UTF-16", media: jsonType, body: "\xfe\xff" + strings.Join(strings.Split(body, ""), "\x00"), status: "400"},
		{name: "a byte order mark", media: jsonType, body: "\ufeff" + body, status: "400"},
		{name: "a card number in a name", media: jsonType, body: with("cardholder", `"45391488/03436467"`), status: "422"},
		{name: "NUL in a number", media: jsonType, body: with("pan", `"4929180374652816\u0000"`), status: "422"},
		{name: "NUL in the transaction", media: jsonType, body: with("trxId", `"\u0000"`), status: "404"},
		{name: "another merchant", media: jsonType, body: with("merchantId", `"moollar"`), status: "404"},
		{name: "a number in the name", media: jsonType, body: with("cardholder", `"4929 1803 7465 2816"`), status: "422"},
		{name: "a million nines for an expiry", media: jsonType, body: with("exp", `"`+strings.Repeat("9", 12000)+`"`), status: "422"},
		{name: "deep in an unknown field", media: jsonType, body: strings.Replace(body, "{", `{"more":`+strings.Repeat("[", 12000)+",", 1), status: "400"},
		{name: "16 KiB and a byte", media: jsonType, body: body + strings.Repeat(" ", 16<<10+1-len(body)), status: "413"},
		{name: "16 KiB and a byte in a field", media: jsonType, body: with("note", `"`+strings.Repeat("x", 16<<10)+`"`), status: "413"},
		{name: "a form instead of JSON", media: formType, body: "pan=" + number, status: "415"},
		{name: "no type", media: "", body: body, status: "415"},
		{name: "an invalid media type", media: "application/json; =", body: body, status: "415"},
		{name: "XML", media: "application/xml", body: "<pan>" + number + "</pan>", status: "415"},
		{name: "zipped", media: jsonType, body: zipped(t, body), header: http.Header{"Content-Encoding": {"gzip"}}, status: "400 415"},
		{name: "a key that is too long", media: jsonType, body: body, header: http.Header{"Idempotency-Key": {strings.Repeat("k", 256)}}, status: "422"},
		{name: "a key with a tab in it", media: jsonType, body: body, header: http.Header{"Idempotency-Key": {"a\tb"}}, status: "422"},
	}
	for field := range valid {
		for kind, value := range map[string]string{
			"a whole number": "4929180374652816", "a negative number": "-1", "a huge number": "1e400", "a longer number": strings.Repeat("9", 4000), "true": "true",
			"an array": `["4929180374652816"]`, "an object": `{"pan":"4929180374652816"}`, "deep arrays": strings.Repeat("[", 4000) + strings.Repeat("]", 4000),
		} {
			all = append(all, wrong{name: field + " is " + kind, media: jsonType, body: with(field, value), status: "422"})
		}
		if field != "cEmail" {
			all = append(all, wrong{name: field + " is null", media: jsonType, body: with(field, "null"), status: "404 422"})
		}
	}
	before := books(t, app)
	try := func(path, what string, w wrong) {
		header := w.header.Clone()
		if header == nil {
			header = http.Header{}
		}
		if w.media != "" {
			header.Set("Content-Type", w.media)
		}
		got := app.Do(t, http.MethodPost, path, strings.NewReader(w.body), header)
		check.Contains(t, w.status, strconv.Itoa(got.Status), "status, %s, %s: %d", what, w.name, got.Status)
		if got.Status == http.StatusSeeOther {
			// Neither the redirect to the page nor the cookie holds anything of the card.
			kept, _, _ := strings.Cut(strings.TrimPrefix(got.Header.Get("Set-Cookie"), "forecourt-payer="), ";")
			value, err := base64.RawURLEncoding.DecodeString(kept)
			for _, secret := range []string{number, "4929", "7391"} {
				if err != nil || strings.Contains(got.Location+string(value), secret) {
					t.Errorf("%s, %s: %q or %q holds %s, %v", what, w.name, got.Location, value, secret, err)
				}
			}
			got = app.Get(t, got.Location)
		}
		if strings.Contains(got.Body, number) || strings.Contains(got.Body, "4929 1803") || strings.Contains(got.Body, "7391") {
			t.Errorf("%s, %s: the answer repeats the card", what, w.name)
		}
		check.MustEqual(t, books(t, app), before, "%s, %s: the rows changed\nfrom\nto", what, w.name)
		if path == "/api/pay" && len(apptest.JSON[struct{ Error string }](t, got).Error) < 10 {
			t.Errorf("%s, %s: no explanation in %s", what, w.name, got.Body)
		}
		if path != "/api/pay" && !strings.Contains(got.Body, "<h1") {
			t.Errorf("%s, %s: the answer is not a page: %.200s", what, w.name, got.Body)
		}
	}
	for _, w := range all {
		try("/api/pay", "JSON", w)
	}

	fields := func(changes ...string) url.Values {
		form := url.Values{"name": {"Pat Payer"}, "card": {number}, "exp": {"12/34"}, "cvc": {"7391"}, "email": {"pat@example.com"}, "key": {"one"}}
		for i := 0; i+1 < len(changes); i += 2 {
			form.Set(changes[i], changes[i+1])
		}
		return form
	}
	form := fields().Encode()
	forms := []wrong{
		{name: "empty", media: formType, status: "303"},
		{name: "without names", media: formType, body: "=&=&&&", status: "400 303"},
		{name: "JSON", media: formType, body: body, status: "303"},
		{name: "JSON by its type", media: jsonType, body: body, status: "415"},
		{name: "semicolons", media: formType, body: strings.ReplaceAll(form, "&", ";"), status: "400 303"},
		{name: "a broken escape after it", media: formType, body: form + "&x=%zz", status: "400"},
		{name: "a cut escape in the number", media: formType, body: strings.Replace(form, "card=", "card=%4", 1), status: "400 303"},
		{name: "two numbers", media: formType, body: "card=5555555555554444&" + form, status: "400"},
		{name: "two keys", media: formType, body: form + "&key=two", status: "400"},
		{name: "a list of numbers", media: formType, body: strings.Replace(form, "card=", "card%5B%5D=", 1), status: "303"},
		{name: "16 KiB and a byte", media: formType, body: form + "&x=" + strings.Repeat("x", 16<<10+1-len(form)-3), status: "413"},
		{name: "no type", media: "", body: form, status: "415"},
		{name: "text", media: "text/plain", body: form, status: "415"},
		{name: "parts", media: "multipart/form-data; boundary=b", body: "--b\r\nContent-Disposition: form-data; name=\"card\"\r\n\r\n" + number + "\r\n--b--\r\n", status: "415"},
		{name: "an invalid media type", media: formType + "; =", body: form, status: "415"},
		{name: "zipped", media: formType, body: zipped(t, form), header: http.Header{"Content-Encoding": {"gzip"}}, status: "400 415 303"},
		{name: "from another site", media: formType, body: form, header: http.Header{"Sec-Fetch-Site": {"cross-site"}}, status: "403"},
	}
	for _, field := range []string{"name", "card", "exp", "cvc"} {
		forms = append(forms, wrong{name: "no " + field, media: formType, body: fields(field, "").Encode(), status: "303"})
	}
	for _, field := range []string{"name", "card", "exp", "cvc", "email"} {
		for kind, value := range map[string]string{
			"NUL": "a\x00b", "broken UTF-8": "\xff\xfe", "overlong UTF-8": "\xc0\xaf", "a new line": "a\r\nb", "a control character": "\x1b[31m", "very long": strings.Repeat("x", 5000),
			"a card number": "4929 1803 7465 2816 ", "a negative number": "-1" + strings.Repeat("9", 30),
		} {
			unseen := kind == "NUL" || kind == "a new line" || kind == "a control character"
			if field == "card" && kind == "a card number" || field == "name" && unseen { // which names lose
				continue
			}
			forms = append(forms, wrong{name: kind + " in " + field, media: formType, body: fields(field, value).Encode(), status: "303"})
		}
	}
	for _, w := range forms {
		try("/pos/panezski/"+id, "form", w)
	}

	// The correct body is accepted, so each refusal was due to its mistake.
	app.PostJSON(t, "/api/pay", valid).Want(t, http.StatusOK, "the correct body")
	check.Equal(t, len(app.Captures(t, id)), 1, "the correct body")
}
