package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"html/template"

	"github.com/evanw/esbuild/pkg/api"
)

const reactPath = "/react.html"

//go:embed static/react.html.tmpl
var reactHTML string

// hydrated is the least that a usual React framework would send for the menu: the page drawn by the server, what it was drawn from as
// JSON, and one script that hydrates it. A framework's own router, which comes on top, is left out.
func hydrated(menu publicMenu) (page, script []byte, err error) {
	built := api.Build(api.BuildOptions{
		EntryPoints: []string{"cmd/bench/static/react.tsx"}, Bundle: true, Format: api.FormatESModule, Platform: api.PlatformBrowser,
		JSX: api.JSXAutomatic, Define: map[string]string{"process.env.NODE_ENV": `"production"`}, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, PreserveSymlinks: true, LogLevel: api.LogLevelWarning,
	})
	if len(built.Errors) > 0 || len(built.OutputFiles) != 1 {
		return nil, nil, errors.New("cmd/bench/static/react.tsx does not build")
	}
	props, err := json.Marshal(menu)
	if err != nil {
		return nil, nil, err
	}
	page, err = drawn(reactHTML, struct {
		publicMenu
		Props template.JS
	}{menu, template.JS(props)}) //nolint:gosec // JSON of encoding/json holds no "<"
	return page, built.OutputFiles[0].Contents, err
}
