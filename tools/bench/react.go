package main

import (
	"embed"
	"encoding/json"
	"errors"
	"html/template"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	reactPath    = "/react-menu.html"
	reactPayPath = "/react-pay.html"
)

//go:embed static/react-*.tmpl
var reactHTML embed.FS

// publicOrder is an unpaid order as the API returns it, with the name of its business and the fields of a card form.
type publicOrder struct {
	Name     string `json:"name"` // of the business
	ID       string `json:"id"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Table    string `json:"table"`
	Order    []struct {
		Name  string `json:"name"`
		Price string `json:"price"`
		Order struct {
			Qty int `json:"qty"`
		} `json:"order"`
		Info struct {
			Image string `json:"image"`
		} `json:"info"`
	} `json:"order"`
	Fields []cardField `json:"fields"`
}

type cardField struct {
	Name         string `json:"name"`
	Label        string `json:"label"`
	Autocomplete string `json:"autocomplete"`
	Mode         string `json:"mode"`
}

var cardFields = []cardField{
	{"name", "Name on Card", "cc-name", "text"}, {"card", "Card Number", "cc-number", "numeric"}, {"exp", "Expiry", "cc-exp", "numeric"},
	{"cvc", "CVC", "cc-csc", "numeric"}, {"email", "Customer Email", "email", "email"},
}

// reactPages returns the least that a common React framework would send for the menu and the payment page: the page as the server
// rendered it, its props as JSON, and one script that hydrates it. It leaves out the framework's own router, which would add to that.
func reactPages(menu publicMenu, order publicOrder) (map[string]answer, error) {
	order.Name, order.Fields = menu.Name, cardFields
	answers := map[string]answer{}
	if err := hydrated(answers, "react-menu", menu, func(props template.JS) any {
		return struct {
			publicMenu
			Props template.JS
		}{menu, props}
	}); err != nil {
		return nil, err
	}
	err := hydrated(answers, "react-pay", order, func(props template.JS) any {
		return struct {
			publicOrder
			Props template.JS
		}{order, props}
	})
	return answers, err
}

// hydrated adds a page that is rendered from props, and its script; with gives the template its props.
func hydrated(answers map[string]answer, name string, props any, with func(template.JS) any) error {
	source := "tools/bench/static/" + name + ".tsx"
	built := api.Build(api.BuildOptions{
		EntryPoints: []string{source}, Bundle: true, Format: api.FormatESModule, Platform: api.PlatformBrowser,
		JSX: api.JSXAutomatic, Define: map[string]string{"process.env.NODE_ENV": `"production"`}, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, PreserveSymlinks: true, LogLevel: api.LogLevelWarning,
	})
	if len(built.Errors) > 0 || len(built.OutputFiles) != 1 {
		return errors.New(source + " does not build")
	}
	text, err := json.Marshal(props)
	if err != nil {
		return err
	}
	html, err := reactHTML.ReadFile("static/" + name + ".html.tmpl")
	if err != nil {
		return err
	}
	page, err := drawn(string(html), with(template.JS(text))) //nolint:gosec // JSON of encoding/json holds no "<"
	if err != nil {
		return err
	}
	answers["/"+name+".html"] = packed("text/html; charset=utf-8", page)
	answers["/"+name+".js"] = packed("text/javascript; charset=utf-8", built.OutputFiles[0].Contents)
	return nil
}
