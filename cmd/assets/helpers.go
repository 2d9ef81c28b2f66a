package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// inlineHelpers puts esbuild's own helper functions into the scripts that use them. esbuild puts them into a chunk without a source, so
// every page would have to wait for a file of half a kilobyte.
func inlineHelpers(meta metafile, files map[string][]byte) error {
	for helpers, out := range meta.Outputs {
		if out.EntryPoint != "" || len(out.Inputs)+len(out.Imports) > 0 || !strings.HasSuffix(helpers, ".js") {
			continue
		}
		if _, mapped := meta.Outputs[helpers+".map"]; mapped {
			continue // a source map fits only the unchanged script
		}
		address := "/static/" + strings.TrimPrefix(helpers, "dist/")
		source := string(files[strings.TrimPrefix(helpers, "dist/")])
		for name, user := range meta.Outputs {
			file := strings.TrimPrefix(name, "dist/")
			if !bytes.Contains(files[file], []byte(address)) {
				continue
			}
			whole, err := withHelpers(string(files[file]), address, source)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			files[file] = whole
			kept := user.Imports[:0]
			for _, imported := range user.Imports {
				if imported.Path != helpers {
					kept = append(kept, imported)
				}
			}
			user.Imports = kept
			meta.Outputs[name] = user
		}
		delete(files, strings.TrimPrefix(helpers, "dist/"))
		delete(meta.Outputs, helpers)
	}
	return nil
}

// withHelpers bundles a script with the helpers that it imports from an address, and with nothing else.
func withHelpers(script, address, helpers string) ([]byte, error) {
	own := api.Plugin{Name: "helpers", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: "^/static/"}, func(asked api.OnResolveArgs) (api.OnResolveResult, error) {
			if asked.Path != address {
				return api.OnResolveResult{Path: asked.Path, External: true}, nil
			}
			return api.OnResolveResult{Path: asked.Path, Namespace: "helpers", SideEffects: api.SideEffectsFalse}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: "helpers"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			return api.OnLoadResult{Contents: &helpers}, nil
		})
	}}
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{Contents: script}, Bundle: true, Format: api.FormatESModule, Engines: browsers, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Plugins: []api.Plugin{own}, LogLevel: api.LogLevelError,
	})
	if len(result.Errors) > 0 || len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("esbuild gives up with %d errors", len(result.Errors))
	}
	return result.OutputFiles[0].Contents, nil
}
