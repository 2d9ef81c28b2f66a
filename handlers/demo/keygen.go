package demo

import (
	"net/http"

	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/site/keys"
	"forecourt/static"
	view "forecourt/views/demo"
	"forecourt/views/layout"
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
	if err := web.ParseForm(r); err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.KeygenPage(keygenPage(r.PostForm.Get("tool"), r.PostForm.Get)))
}

// tool is one of the four tools with its initial values (KEYGEN-06 to KEYGEN-08).
type tool struct {
	id, title, about, result string
	hash                     keys.Hash
	fields                   []ui.Field
}

func tools() []tool {
	parts := []ui.Field{
		{Name: "currency", Label: "Currency", Value: "GBP", Hint: "Hashed in capitals."},
		{Name: "amount", Label: "Amount", Value: "5.00", InputMode: "decimal", Hint: "Hashed with two decimals, 0.00 if it is not a number."},
		{Name: "reference", Label: "Merchant reference", Value: "ORDER-1001"},
	}
	hidden := ui.Field{Name: "secret", Label: "Secret"}
	check := ui.Field{Name: "check", Label: "Key to check", Hint: "Paste a key that was refused to see which mistake explains it."}
	text := []ui.Field{{Name: "text", Label: "Text"}}
	device := ui.Field{Name: "device", Label: "Device id", Value: "01", Hint: "Sent beside the key and not part of it."}
	return []tool{
		{"sha256", "SHA-256 hasher", "64 hex digits of any text, encoded as UTF-8.", "SHA-256", keys.SHA256, text},
		{"sha1", "SHA-1 hasher", "40 hex digits of any text, encoded as UTF-8.", "SHA-1", keys.SHA1, text},
		{
			"hps", "HPS transaction key", "SHA-1 of currency, amount, reference and secret, for the hosted payment page.",
			"transactionkey", keys.SHA1,
			append(append([]ui.Field{}, parts...), hidden, check),
		},
		{
			"api", "API merchant key", "SHA-256 of the same parts, for calls to the API.", "Merchant key", keys.SHA256,
			append(append([]ui.Field{}, parts...), device, hidden, check),
		},
	}
}

// keygenPage shows the tools, with what was posted to one of them.
func keygenPage(posted string, value func(name string) string) view.Keygen {
	p := view.Keygen{Frame: page(
		"Key generator", "Make and check the SHA-1 and SHA-256 keys that sign a payment.", "/demo/keygen", "keygen.js",
	)}
	for _, t := range tools() {
		v := view.KeyTool{ID: t.id, Title: t.title, About: t.about, Props: props.KeyTool{Tool: t.id, Hash: string(t.hash)}}
		typed := map[string]string{}
		for _, f := range t.fields {
			f.ID = t.id + "-" + f.Name
			if t.id == posted {
				f.Value = value(f.Name)
			}
			typed[f.Name] = f.Value
			v.Fields = append(v.Fields, f)
			if f.Name == "check" {
				v.Props.Mistakes = keys.Explanations()
			}
		}
		v.Props.Fields = demoFields(v.Fields)
		v.Result = result(t, typed)
		p.Tools = append(p.Tools, v)
	}
	return p
}

func result(t tool, typed map[string]string) view.KeyResult {
	r := view.KeyResult{Name: t.result}
	if _, ok := typed["secret"]; !ok {
		r.Parts, r.Key = []view.KeyPart{{Name: "text", Text: typed["text"]}}, keys.Sum(t.hash, typed["text"])
		return r
	}
	in := keys.Input{Currency: typed["currency"], Amount: typed["amount"], Reference: typed["reference"], Secret: secret.New(typed["secret"])}
	r.Key, r.Parts = in.Key(t.hash), append(keyParts(in), view.KeyPart{Name: "secret", Text: typed["secret"]})
	if typed["check"] != "" {
		r.Checked = true
		for _, mistake := range keys.Diagnose(t.hash, in, typed["check"]) {
			r.Wrong = append(r.Wrong, mistake.Explain())
		}
	}
	return r
}

// keyParts returns the parts of a key, up to the secret.
func keyParts(in keys.Input) []view.KeyPart {
	return []view.KeyPart{
		{Name: "currency", Text: keys.Currency(in.Currency)}, {Name: "amount", Text: keys.Amount(in.Amount)},
		{Name: "reference", Text: in.Reference},
	}
}

func demoFields(fields []ui.Field) []props.DemoField {
	list := make([]props.DemoField, 0, len(fields))
	for _, f := range fields {
		list = append(list, props.DemoField{ID: f.ID, Name: f.Name, Label: f.Label, Type: f.Type})
	}
	return list
}

func page(title, description, path, script string) view.Page {
	return view.Page{
		Path: path,
		Site: layout.Site{Title: title, Description: description, Scripts: []string{static.URL(script)}},
	}
}
