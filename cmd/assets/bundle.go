package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// scripts are the first scripts of the pages. Modules that they load later become separate chunks.
var scripts = []string{
	"islands/account/account.ts",
	"islands/compliance/compliance.ts",
	"islands/demo/bridge.ts",
	"islands/demo/docs.ts",
	"islands/demo/hps.ts",
	"islands/demo/keygen.ts",
	"islands/demo/qr.ts",
	"islands/demo/socket.ts",
	"islands/demo/tokengen.ts",
	"islands/desk/desk.ts",
	"islands/forms/forms.ts",
	"islands/merchant/merchant.ts",
	"islands/pay/pay.ts",
	"islands/pos/item.ts",
	"islands/pos/kitchen.ts",
	"islands/pos/menu.ts",
	"islands/receipt/receipt.ts",
	"islands/site/landing.ts",
	"islands/ui/site.ts",
}

// styles are the style sheets of the pages: one for a business's customers, with the parts of it that a first visit gets in the page, one
// for the provider's own pages, and one for each part that looks different from both or that only a few pages need.
var styles = []string{
	"static/css/compliance/compliance.css",
	"static/css/demo/demo.css",
	"static/css/demo/docs.css",
	"static/css/demo/outbox.css",
	"static/css/demo/qr.css",
	"static/css/demo/tokengen.css",
	"static/css/desk/desk.css",
	"static/css/forms/forms.css",
	"static/css/merchant/merchant.css",
	"static/css/pay/pay.css",
	"static/css/pos/item.css",
	"static/css/pos/kitchen.css",
	"static/css/pos/menu.css",
	"static/css/receipt/receipt.css",
	"static/css/site/landing.css",
	"static/css/staff/staff.css",
	"static/css/ui/customer.css",
	"static/css/ui/shell.css",
	"static/css/ui/site.css",
}

// browsers lists the oldest browsers that the pages support.
var browsers = []api.Engine{
	{Name: api.EngineChrome, Version: "96"},
	{Name: api.EngineEdge, Version: "96"},
	{Name: api.EngineFirefox, Version: "98"},
	{Name: api.EngineSafari, Version: "15.4"},
}

// bundle writes scripts, styles and the pictures below from/img into out under content-hashed names, with a manifest.
// Files of earlier builds are removed last, so that out is complete at any moment.
func bundle(from, out string, dev bool) error {
	built, err := compile(dev)
	if err != nil {
		return err
	}
	images, err := hashImages(from)
	if err != nil {
		return err
	}
	built.add(images)
	manifest, err := json.MarshalIndent(built.manifest, "", "\t")
	if err != nil {
		return err
	}
	if !dev {
		if err := compress(built.files); err != nil {
			return err
		}
	}
	built.files["manifest.json"] = manifest
	if err := write(out, built.files); err != nil {
		return err
	}
	return sweep(out, built.files)
}

// compile runs esbuild over scripts and styles.
func compile(dev bool) (output, error) {
	options := api.BuildOptions{
		EntryPoints:   append(append([]string{}, scripts...), styles...),
		Bundle:        true,
		Splitting:     true,
		Format:        api.FormatESModule,
		Platform:      api.PlatformBrowser,
		Engines:       browsers,
		JSX:           api.JSXAutomatic,
		Charset:       api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone,
		EntryNames:    "[name]-[hash]",
		ChunkNames:    "[name]-[hash]",
		AssetNames:    "img/[name]-[hash]",
		PublicPath:    "/static/",
		Loader: map[string]api.Loader{
			".svg": api.LoaderFile, ".png": api.LoaderFile, ".webp": api.LoaderFile, ".avif": api.LoaderFile,
		},
		Define:            map[string]string{"process.env.NODE_ENV": `"production"`},
		MinifyWhitespace:  !dev,
		MinifyIdentifiers: !dev,
		MinifySyntax:      !dev,
		PreserveSymlinks:  true, // a package's real location must not change a hash
		Metafile:          true,
		Plugins:           []api.Plugin{copies},
		Outdir:            "dist", // only for the metafile: nothing is written there
		LogLevel:          api.LogLevelWarning,
	}
	if dev {
		options.Sourcemap = api.SourceMapLinked
		options.Define["process.env.NODE_ENV"] = `"development"`
	}
	result := api.Build(options)
	if len(result.Errors) > 0 {
		return output{}, fmt.Errorf("%d errors in scripts or styles, see above", len(result.Errors))
	}
	root, err := filepath.Abs(options.Outdir)
	if err != nil {
		return output{}, err
	}
	files := map[string][]byte{}
	for _, file := range result.OutputFiles {
		name, err := filepath.Rel(root, file.Path)
		if err != nil {
			return output{}, err
		}
		files[filepath.ToSlash(name)] = file.Contents
	}
	return describe(result.Metafile, files)
}

func write(out string, files map[string][]byte) error {
	for name, content := range files {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes files that an earlier build left in out.
func sweep(out string, keep map[string][]byte) error {
	return filepath.WalkDir(out, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		name, err := filepath.Rel(out, path)
		if err != nil {
			return err
		}
		if _, ok := keep[filepath.ToSlash(name)]; ok {
			return nil
		}
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("remove an old file: %w", err)
		}
		return nil
	})
}
