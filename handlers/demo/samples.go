package demo

import (
	"embed"
	"encoding/json"
	"strings"

	"forecourt/internal/site/keys"
	view "forecourt/views/demo"
	"forecourt/views/props"
)

//go:embed samples
var sampleFiles embed.FS

// samples holds the redirect request in several languages. A file has a head, a line and a tail, separated by lines of ---.
var samples = []props.CodeSample{
	sample("curl", "curl", "shell"), sample("go", "Go", "json"), sample("php", "PHP", "php"), sample("node", "Node", "json"),
	sample("python", "Python", "json"),
}

func sample(id, name, quote string) props.CodeSample {
	text, err := sampleFiles.ReadFile("samples/" + id + ".txt")
	if err != nil {
		panic(err) // the file is built in
	}
	parts := strings.Split(string(text), "---\n")
	return props.CodeSample{ID: id, Name: name, Quote: quote, Head: parts[0], Line: parts[1], Tail: parts[2]}
}

// write fills a sample with the fields of a form. islands/demo/hosted-page/samples.ts does the same while one types.
func write(s props.CodeSample, address string, fields []view.Pair) string {
	values := map[string]string{}
	for _, f := range fields {
		values[f.Name] = f.Value
	}
	frame := strings.NewReplacer(
		"{url}", quote(s.Quote, address),
		"{preimage}", quote(s.Quote, keys.Currency(values["currencydesc"])+keys.Amount(values["amount"])+values["merchant_ref_number"]),
	)
	var text strings.Builder
	text.WriteString(frame.Replace(s.Head))
	for _, f := range fields {
		text.WriteString(strings.NewReplacer(
			"{name}", quote(s.Quote, f.Name), "{value}", quote(s.Quote, f.Value), "{pair}", quote(s.Quote, f.Name+"="+f.Value),
		).Replace(s.Line))
	}
	text.WriteString(frame.Replace(s.Tail))
	return text.String()
}

// quote writes a text as a string literal of a language.
func quote(language, text string) string {
	switch language {
	case "shell":
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	case "php":
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string always encodes
	return strings.TrimSuffix(out.String(), "\n")
}
