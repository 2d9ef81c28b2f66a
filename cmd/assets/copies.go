package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// copied lists imports that get their own copy of a module instead of the one that other pages share. A shared module becomes a file of its
// own, and below four kilobytes a copy is cheaper than a request; the payment page's copy of htmx saves a slow phone a request, and its
// copies of what it shares with the menu save it the menu's basket. The part of the importer in parentheses owns the copy. A page must not
// hold two copies of a module that has state.
var copied = []struct{ module, importer *regexp.Regexp }{
	{regexp.MustCompile(`^htmx\.org$`), regexp.MustCompile(`/islands/(pay/payment)/watch\.ts$`)},
	{regexp.MustCompile(`^\.\./luhn$`), regexp.MustCompile(`/islands/(pay/wallets)/`)},
	{regexp.MustCompile(`^\.\./define-island$`), regexp.MustCompile(`/islands/(pay)/pay\.ts$`)},
	{
		regexp.MustCompile(`^\.\./\.\./(?:email|icons|load-chunk|pos/basket/store|press|ui/icon)$|/outcome$`),
		regexp.MustCompile(`/islands/(pay)/(?:pay\.ts|card-form/|payment/(?:follow|underway)\.ts)`),
	},
	{regexp.MustCompile(`^\.\./\.\./(?:pos/kitchen/sound|stream|ui/push/\w+)$`), regexp.MustCompile(`/islands/(pay/payment)/`)},
	{regexp.MustCompile(`^\./entitle$`), regexp.MustCompile(`/islands/(pay/payment)/attend\.ts$`)},
	{regexp.MustCompile(`^\.\./ui/find$`), regexp.MustCompile(`/islands/(desk/desk|pos/kitchen)\.ts`)},
	{regexp.MustCompile(`^\.(?:\./demo)?/copy$`), regexp.MustCompile(`/islands/((?:desk|merchant)/[^/]+|demo/(?:docs|tokengen)\.ts)`)},
	{regexp.MustCompile(`^\.\./account/(?:reveal|rules)$`), regexp.MustCompile(`/islands/(merchant/[^/]+)`)},
	{regexp.MustCompile(`^\.\./email$`), regexp.MustCompile(`/islands/(forms)/`)},
	{regexp.MustCompile(`/props\.gen$`), regexp.MustCompile(`/islands/([\w-]+/[^/]+)`)},
	{regexp.MustCompile(`^\.\./(?:\.\./ui/icon|second-tap)$`), regexp.MustCompile(`/islands/(pos/(?:choose|order-basket))/`)},
	// With icons of its own, React's file imports nothing, so that browsers keep it when another file changes.
	{regexp.MustCompile(`^\.\./(?:\.\./)?icons$`), regexp.MustCompile(`/islands/(ui/parts|pos/(?:choose|order-basket)|demo/[\w-]+)`)},
	{regexp.MustCompile(`^\./keys/`), regexp.MustCompile(`/islands/(demo/(?:hps|keygen))\.ts$`)},
	{
		regexp.MustCompile(`^\.\./(?:keys/[\w-]+|\.\./ui/(?:copy|demo-field))$`),
		regexp.MustCompile(`/islands/(demo/(?:hosted-page|key-generator))/`),
	},
	{regexp.MustCompile(`/demo-field$`), regexp.MustCompile(`/islands/(demo/embedded-checkout)/`)},
}

// copyOf marks, in esbuild's plugin data, the modules of a copy: it names the scripts that own the copy.
type copyOf string

// original marks a request that only asks where a module is.
type original struct{}

// own matches what a copied module takes along: what it imports from its own folder, its data and the constants from Go.
var own = regexp.MustCompile(`^\./|\.json$|/props\.gen$`)

// copies makes the copies that copied lists.
var copies = api.Plugin{Name: "copies", Setup: func(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: `^(?:\.|htmx\.org$)`}, func(asked api.OnResolveArgs) (api.OnResolveResult, error) {
		if asked.PluginData == (original{}) {
			return api.OnResolveResult{}, nil
		}
		owner, within := asked.PluginData.(copyOf)
		if !within || !own.MatchString(asked.Path) {
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

// ownerOf returns the owner of the copy that the import gets, such as "desk/desk.ts" or "pay/payment", or "" if it gets none.
func ownerOf(asked api.OnResolveArgs) copyOf {
	importer := filepath.ToSlash(asked.Importer)
	for _, one := range copied {
		if owner := one.importer.FindStringSubmatch(importer); owner != nil && one.module.MatchString(asked.Path) {
			return copyOf(owner[1])
		}
	}
	return ""
}
