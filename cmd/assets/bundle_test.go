package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"forecourt/internal/kit/check"
)

const report = `{"outputs": {
	"dist/menu-AA.js": {"entryPoint": "islands/pos/menu.ts", "imports": [
		{"path": "dist/chunk-BB.js", "kind": "import-statement"},
		{"path": "dist/order-basket-CC.js", "kind": "dynamic-import"}]},
	"dist/chunk-BB.js": {"imports": [{"path": "dist/chunk-DD.js", "kind": "import-statement"}]},
	"dist/chunk-DD.js": {"imports": [{"path": "dist/chunk-BB.js", "kind": "import-statement"}]},
	"dist/order-basket-CC.js": {"entryPoint": "islands/pos/order-basket/index.tsx", "imports": []},
	"dist/customer-EE.css": {"entryPoint": "static/css/ui/customer.css", "imports": []}
}}`

func TestDescribe(t *testing.T) {
	t.Parallel()
	built, err := describe(report, map[string][]byte{"menu-AA.js": []byte("x")})
	check.Must(t, err)
	for plain, want := range map[string]entry{
		"menu.js":         {Path: "menu-AA.js", Imports: []string{"chunk-BB.js", "chunk-DD.js"}},
		"order-basket.js": {Path: "order-basket-CC.js"},
		"customer.css":    {Path: "customer-EE.css"},
	} {
		got := built.manifest[plain]
		if got.Path != want.Path || !slices.Equal(got.Imports, want.Imports) {
			t.Errorf("%s is %+v, want %+v", plain, got, want)
		}
	}
	check.Equal(t, len(built.manifest), 3, "chunks without a source have no plain name: %v", built.manifest)
}

func TestDescribeInlinesHelpersWhereTheyAreUsed(t *testing.T) {
	t.Parallel()
	const report = `{"outputs": {
		"dist/menu-AA.js": {"entryPoint": "islands/pos/menu.ts", "inputs": {"islands/pos/menu.ts": {}}, "imports": [
			{"path": "dist/chunk-BB.js", "kind": "import-statement"}, {"path": "dist/chunk-CC.js", "kind": "import-statement"}]},
		"dist/root-DD.js": {"entryPoint": "islands/react-root.tsx", "inputs": {"islands/react-root.tsx": {}}, "imports": [
			{"path": "dist/chunk-CC.js", "kind": "import-statement"}]},
		"dist/chunk-BB.js": {"inputs": {"islands/pos/basket/store.ts": {}}},
		"dist/chunk-CC.js": {"inputs": {}}
	}}`
	files := map[string][]byte{
		"menu-AA.js":  []byte(`import"/static/chunk-BB.js";import"/static/chunk-CC.js";start()`),
		"root-DD.js":  []byte(`import{a as b}from"/static/chunk-CC.js";import{c}from"/static/chunk-BB.js";b(c)`),
		"chunk-CC.js": []byte(`var a=x=>x+1,d=x=>x+2;export{a,d};`),
	}
	built, err := describe(report, files)
	check.Must(t, err)
	check.Equal(t, strings.TrimSpace(string(built.files["menu-AA.js"])), `import"/static/chunk-BB.js";start();`, "the script reads")
	check.List(t, built.manifest["menu.js"].Imports, []string{"chunk-BB.js"}, "the page fetches")
	check.Empty(t, built.manifest["root.js"].Imports, "the island fetches")
	if got := string(built.files["root-DD.js"]); !strings.Contains(got, "+1") || strings.Contains(got, "+2") || !strings.Contains(got, `from"/static/chunk-BB.js"`) {
		t.Errorf("the island lacks a helper that it uses, or has another: %s", got)
	}
	if built.files["chunk-CC.js"] != nil {
		t.Error("the helpers are also a file of their own")
	}
}

func TestDescribeRefusesTwoScriptsOfOneName(t *testing.T) {
	t.Parallel()
	_, err := describe(`{"outputs": {"dist/a-1.js": {"entryPoint": "x/a.ts"}, "dist/a-2.js": {"entryPoint": "y/a.tsx"}}}`, nil)
	check.Error(t, err, "no error for two scripts with one plain name")
}

func TestHashImages(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	put(t, filepath.Join(from, "img/logo/cup.svg"), "<svg/>")
	put(t, filepath.Join(from, "img/.gitignore"), "*")
	first, err := hashImages(from)
	check.Must(t, err)
	put(t, filepath.Join(from, "img/logo/cup.svg"), "<svg></svg>")
	second, err := hashImages(from)
	check.Must(t, err)
	before, after := first.manifest["img/logo/cup.svg"], second.manifest["img/logo/cup.svg"]
	if len(first.files) != 1 || string(first.files[before.Path]) != "<svg/>" || !strings.HasPrefix(before.Path, "img/logo/cup-") {
		t.Errorf("got %v", first)
	}
	if before.Path == after.Path {
		t.Error("a different picture has the same address")
	}
}

func TestCompress(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("a line of text\n"), 100)
	files := map[string][]byte{"a.js": text, "tiny.js": []byte("1"), "photo.webp": text}
	check.Must(t, compress(files))
	decoders := map[string]func(io.Reader) (io.Reader, error){
		".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
	for suffix, decoder := range decoders {
		r, err := decoder(bytes.NewReader(files["a.js"+suffix]))
		check.Must(t, err)
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s does not hold the text: %v", suffix, err)
		}
	}
	if files["a.js"] != nil {
		t.Error("the uncompressed text is kept, too")
	}
	check.Equal(t, len(files), 2+len(decoders), "pictures, or files that do not shrink, have compressed copies: … files")
}

func TestSweep(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	for _, name := range []string{".gitkeep", "old-1.js", "img/old-2.svg", "new-3.js"} {
		put(t, filepath.Join(out, name), "x")
	}
	check.Must(t, sweep(out, map[string][]byte{"new-3.js": nil}))
	for name, want := range map[string]bool{".gitkeep": true, "new-3.js": true, "old-1.js": false, "img/old-2.svg": false} {
		_, err := os.Stat(filepath.Join(out, name))
		check.Equal(t, err == nil, want, "%s exists", name)
	}
}

func put(t *testing.T, path, content string) {
	t.Helper()
	check.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	check.Must(t, os.WriteFile(path, []byte(content), 0o644))
}
