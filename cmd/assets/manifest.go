package main

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// output is the result of a build: files by their paths below static/dist, and the manifest of their plain names. Package static reads the
// manifest in this shape.
type output struct {
	files    map[string][]byte
	manifest map[string]entry
}

type entry struct {
	Path    string   `json:"path"`
	Imports []string `json:"imports,omitempty"` // paths of everything that a script imports statically
	// of a page's first script: the integrity of everything that it may ever load, by path
	Scripts map[string]string `json:"scripts,omitempty"`
}

func (o output) add(more output) {
	maps.Copy(o.files, more.files)
	maps.Copy(o.manifest, more.manifest)
}

// metafile is the part of esbuild's report that describe reads.
type metafile struct {
	Outputs map[string]struct {
		EntryPoint string                     `json:"entryPoint"`
		Inputs     map[string]json.RawMessage `json:"inputs"`
		Imports    []struct {
			Path string `json:"path"`
			Kind string `json:"kind"`
		} `json:"imports"`
	} `json:"outputs"`
}

// describe makes the manifest of what esbuild built: the pages' scripts and styles, and the chunks loaded later, by the name
// of the file, or of its folder if the file is an index: "menu.js", "order-basket.js".
func describe(report string, files map[string][]byte) (output, error) {
	var meta metafile
	if err := json.Unmarshal([]byte(report), &meta); err != nil {
		return output{}, fmt.Errorf("read the bundler's report: %w", err)
	}
	if err := inlineHelpers(meta, files); err != nil {
		return output{}, err
	}
	built := output{files: files, manifest: map[string]entry{}}
	for name, out := range meta.Outputs {
		if out.EntryPoint == "" {
			continue
		}
		file := strings.TrimPrefix(name, "dist/")
		plain := plainName(out.EntryPoint, path.Ext(file))
		if other, taken := built.manifest[plain]; taken {
			return output{}, fmt.Errorf("%s and %s both want the name %s", other.Path, file, plain)
		}
		built.manifest[plain] = entry{Path: file, Imports: imports(meta, name, false)}
		if slices.Contains(scripts, out.EntryPoint) {
			found := map[string]string{file: integrity(files[file])}
			for _, later := range imports(meta, name, true) {
				found[later] = integrity(files[later])
			}
			built.manifest[plain] = entry{Path: file, Imports: built.manifest[plain].Imports, Scripts: found}
		}
	}
	return built, nil
}

func plainName(source, extension string) string {
	name := strings.TrimSuffix(path.Base(source), path.Ext(source))
	if name == "index" {
		name = path.Base(path.Dir(source))
	}
	return name + extension
}

// imports lists what a script imports, directly or indirectly, in a stable order: static imports or, with ever, those on demand as well.
func imports(meta metafile, name string, ever bool) []string {
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		for _, imported := range meta.Outputs[name].Imports {
			atOnce := imported.Kind == "import-statement"
			if (atOnce || ever && imported.Kind == "dynamic-import") && !seen[imported.Path] {
				seen[imported.Path] = true
				visit(imported.Path)
			}
		}
	}
	visit(name)
	var list []string
	for _, file := range slices.Sorted(maps.Keys(seen)) {
		list = append(list, strings.TrimPrefix(file, "dist/"))
	}
	return list
}

// hashImages reads the pictures below from/img. Their plain names are their paths below from: "img/logo/cup.svg".
func hashImages(from string) (output, error) {
	images := output{files: map[string][]byte{}, manifest: map[string]entry{}}
	root := os.DirFS(from)
	err := fs.WalkDir(root, "img", func(name string, found fs.DirEntry, err error) error {
		if err != nil || found.IsDir() || strings.HasPrefix(found.Name(), ".") {
			return err
		}
		content, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		file := strings.TrimSuffix(name, path.Ext(name)) + "-" + hex.EncodeToString(sum[:5]) + path.Ext(name)
		images.files[file] = content
		images.manifest[name] = entry{Path: file}
		return nil
	})
	if err != nil {
		return output{}, fmt.Errorf("read pictures: %w", err)
	}
	return images, nil
}

func integrity(content []byte) string {
	sum := sha512.Sum384(content)
	return "sha384-" + base64.StdEncoding.EncodeToString(sum[:])
}
