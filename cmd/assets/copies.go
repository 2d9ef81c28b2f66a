package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// copied lists imports that get their own copy of a module instead of the one that other pages share. A shared module becomes a file of its
// own, and below four kilobytes a copy is cheaper than a request; the payment page's copy of htmx saves a slow phone a request. A page must
// not hold two copies of a module that has state.
var copied = []struct{ module, importer *regexp.Regexp }{
	{regexp.MustCompile(`^htmx\.org$`), regexp.MustCompile(`/islands/payment/watch\.ts$`)},
	{regexp.MustCompile(`^\.\.?/(?:kitchen/sound|stream|push/\w+)$`), regexp.MustCompile(`/islands/payment/`)},
	{regexp.MustCompile(`^\./entitle$`), regexp.MustCompile(`/islands/payment/attend\.ts$`)},
	{regexp.MustCompile(`^\./tokengen/copy$`), regexp.MustCompile(`/islands/`)},
	{regexp.MustCompile(`^\.\./email$`), regexp.MustCompile(`/islands/form/`)},
	{regexp.MustCompile(`^\./keys/`), regexp.MustCompile(`/islands/(?:hps|keygen)\.ts$`)},
	{regexp.MustCompile(`^\.\./(?:keys/[\w-]+|ui/copy|ui/demo-field)$`), regexp.MustCompile(`/islands/(?:hosted-page|key-generator)/`)},
	{regexp.MustCompile(`/demo-field$`), regexp.MustCompile(`/islands/embedded-checkout/`)},
}

// copyOf marks the modules of a copy in esbuild's plugin data. It names the part of the islands that the copy belongs to.
type copyOf string

// original marks a request that only asks where a module is.
type original struct{}

// copies makes the copies that copied lists. Modules that a copied module imports from its own folder are copied with it.
var copies = api.Plugin{Name: "copies", Setup: func(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: `^(?:\.|htmx\.org$)`}, func(asked api.OnResolveArgs) (api.OnResolveResult, error) {
		if asked.PluginData == (original{}) {
			return api.OnResolveResult{}, nil
		}
		owner, within := asked.PluginData.(copyOf)
		if !within || !strings.HasPrefix(asked.Path, "./") {
			owner = ownerOf(asked)
		}
		if owner == "" {
			return api.OnResolveResult{}, nil
		}
		found := build.Resolve(asked.Path, api.ResolveOptions{
			Importer: asked.Importer, ResolveDir: asked.ResolveDir, Kind: asked.Kind, PluginData: original{},
		})
		return api.OnResolveResult{Path: found.Path, Suffix: "?" + string(owner), PluginData: owner, Errors: found.Errors}, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `\.tsx?$`}, func(file api.OnLoadArgs) (api.OnLoadResult, error) {
		if file.Suffix == "" {
			return api.OnLoadResult{}, nil
		}
		source, err := os.ReadFile(file.Path)
		text := string(source)
		loader := api.LoaderTS
		if strings.HasSuffix(file.Path, "x") {
			loader = api.LoaderTSX
		}
		return api.OnLoadResult{Contents: &text, Loader: loader, ResolveDir: filepath.Dir(file.Path), PluginData: file.PluginData}, err
	})
}}

// ownerOf returns the part of the islands that gets a copy of the import, or "" if none does.
func ownerOf(asked api.OnResolveArgs) copyOf {
	importer := filepath.ToSlash(asked.Importer)
	for _, one := range copied {
		if one.module.MatchString(asked.Path) && one.importer.MatchString(importer) {
			_, below, _ := strings.Cut(importer, "/islands/")
			part, _, _ := strings.Cut(below, "/")
			return copyOf(part)
		}
	}
	return ""
}
