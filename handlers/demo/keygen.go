package demo

import (
	"net/http"
	"slices"

	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/site/keys"
	view "forecourt/views/demo"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// ShowKeygen answers GET /demo/keygen.
func ShowKeygen(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.KeygenPage(keygenPage("", nil)))
}

// CalculateKey answers POST /demo/keygen, for browsers without scripts. The typed text may be a secret, so nothing keeps it: the answer to
// the post shows the key, without a redirect.
func CalculateKey(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseExact(r); err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.KeygenPage(keygenPage(r.PostForm.Get("tool"), r.PostForm.Get)))
}

// tools returns the four tools with their initial values (KEYGEN-06 to KEYGEN-08).
func tools() []view.KeyTool {
	parts := []ui.Field{
		{Name: "currency", Label: "Currency", Value: "GBP", Hint: "Hashed in capitals."},
		{Name: "amount", Label: "Amount", Value: "5.00", InputMode: "decimal", Hint: "Hashed with two decimals, 0.00 if it is not a number."},
		{Name: "reference", Label: "Merchant reference", Value: "ORDER-1001"},
	}
	hidden := ui.Field{Name: "secret", Label: "Secret"}
	check := ui.Field{Name: "check", Label: "Key to check", Hint: "Paste a key that was refused to see which mistake explains it."}
	device := ui.Field{Name: "device", Label: "Device id", Value: "01", Hint: "Sent beside the key and not part of it."}
	tool := func(id, title, about, result string, hash keys.Hash, fields ...ui.Field) view.KeyTool {
		return view.KeyTool{
			ID: id, Title: title, About: about, Fields: slices.Clone(fields), Hash: hash, Result: view.KeyResult{Name: result},
		}
	}
	text := ui.Field{Name: "text", Label: "Text"}
	return []view.KeyTool{
		tool("sha256", "SHA-256 hasher", "64 hex digits of any text, encoded as UTF-8.", "SHA-256", keys.SHA256, text),
		tool("sha1", "SHA-1 hasher", "40 hex digits of any text, encoded as UTF-8.", "SHA-1", keys.SHA1, text),
		tool(
			"hps", "HPS transaction key", "SHA-1 of currency, amount, reference and secret, for the hosted payment page.",
			"transactionkey", keys.SHA1, append(parts, hidden, check)...,
		),
		tool(
			"api", "API merchant key", "SHA-256 of the same parts, for calls to the API.", "Merchant key", keys.SHA256,
			append(parts, device, hidden, check)...,
		),
	}
}

// keygenPage shows the tools, with what was posted to one of them.
func keygenPage(posted string, value func(name string) string) view.Keygen {
	p := view.Keygen{Tools: tools(), Frame: page(
		"Key generator", "Make and check the SHA-1 and SHA-256 keys that sign a payment.", "/demo/keygen", "keygen.js",
	)}
	for i := range p.Tools {
		t := &p.Tools[i]
		t.Props = props.KeyTool{Tool: t.ID, Hash: string(t.Hash)}
		typed := map[string]string{}
		for k := range t.Fields {
			f := &t.Fields[k]
			f.ID = t.ID + "-" + f.Name
			if t.ID == posted {
				f.Value = value(f.Name)
			}
			typed[f.Name] = f.Value
			if f.Name == "check" {
				t.Props.Mistakes = keys.Explanations()
			}
		}
		t.Props.Fields = demoFields(t.Fields)
		fill(&t.Result, t.Hash, typed)
	}
	return p
}

// fill puts what a tool makes of its fields into its result.
func fill(r *view.KeyResult, hash keys.Hash, typed map[string]string) {
	if _, ok := typed["secret"]; !ok {
		r.Parts, r.Key = []view.Pair{{Name: "text", Value: typed["text"]}}, keys.Sum(hash, typed["text"])
		return
	}
	in := keys.Input{Currency: typed["currency"], Amount: typed["amount"], Reference: typed["reference"], Secret: secret.New(typed["secret"])}
	r.Key, r.Parts = in.Key(hash), append(keyParts(in), view.Pair{Name: "secret", Value: typed["secret"]})
	if typed["check"] != "" {
		r.Checked = true
		for _, mistake := range keys.Diagnose(hash, in, typed["check"]) {
			r.Wrong = append(r.Wrong, mistake.Explain())
		}
	}
}

// keyParts returns the parts of a key, up to the secret.
func keyParts(in keys.Input) []view.Pair {
	return []view.Pair{
		{Name: "currency", Value: keys.Currency(in.Currency)}, {Name: "amount", Value: keys.Amount(in.Amount)},
		{Name: "reference", Value: in.Reference},
	}
}

func demoFields(fields []ui.Field) []props.DemoField {
	list := make([]props.DemoField, 0, len(fields))
	for _, f := range fields {
		list = append(list, props.DemoField{ID: f.ID, Name: f.Name, Label: f.Label, Type: f.Type})
	}
	return list
}
