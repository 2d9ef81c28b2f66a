package main

import (
	"path/filepath"
	"regexp"

	"github.com/evanw/esbuild/pkg/api"
)

// copied are imports that get a module of their own instead of the one that other pages share. A shared module becomes a file,
// and below four kilobytes a copy is cheaper than a request; the payment page's copy of htmx is one request less on a slow phone. A page
// must not hold two copies of a module with a state.
var copied = []struct{ module, importer *regexp.Regexp }{
	{regexp.MustCompile(`^htmx\.org$`), regexp.MustCompile(`/islands/payment/watch\.ts$`)},
	{regexp.MustCompile(`^\.\.?/(?:kitchen/sound|stream)$`), regexp.MustCompile(`/islands/payment/`)},
	{regexp.MustCompile(`^\./tokengen/copy$`), regexp.MustCompile(`/islands/`)},
	{regexp.MustCompile(`^\./load-chunk$`), regexp.MustCompile(`/islands/desk\.ts$`)},
	{regexp.MustCompile(`^\.\./email$`), regexp.MustCompile(`/islands/form/`)},
	{regexp.MustCompile(`^\./keys/`), regexp.MustCompile(`/islands/(?:hps|keygen)\.ts$`)},
	{regexp.MustCompile(`/demo-field$`), regexp.MustCompile(`/islands/embedded-checkout/`)},
}

// copies makes them.
var copies = api.Plugin{Name: "copies", Setup: func(build api.PluginBuild) {
	for _, one := range copied {
		build.OnResolve(api.OnResolveOptions{Filter: one.module.String()}, func(asked api.OnResolveArgs) (api.OnResolveResult, error) {
			if asked.PluginData == "copy" || !one.importer.MatchString(filepath.ToSlash(asked.Importer)) {
				return api.OnResolveResult{}, nil
			}
			found := build.Resolve(asked.Path, api.ResolveOptions{
				Importer: asked.Importer, ResolveDir: asked.ResolveDir, Kind: asked.Kind, PluginData: "copy",
			})
			return api.OnResolveResult{Path: found.Path, Suffix: "?" + filepath.Base(asked.Importer), Errors: found.Errors}, nil
		})
	}
}}
