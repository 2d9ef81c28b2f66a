package static

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// URL returns the content-hashed address of an asset by its plain name: "menu.js", "customer.css", and a picture by its
// path below static: "img/favicon.svg". A name that was not built leads to an address that answers 404.
func URL(name string) string { return built().url(name) }

// Scripts returns the integrity value, "sha384-…", of every script that a page's first script may ever load, by address; the
// first one is among them.
func Scripts(name string) map[string]string { return built().scripts(name) }

// Preload returns the addresses of a script and of every script it imports at once, for <link rel="modulepreload">.
// Scripts that it loads later are not among them.
func Preload(name string) []string { return built().preload(name) }

// Imports returns the addresses of everything that scripts import at once, by the addresses of the scripts.
func Imports(scripts ...string) []string { return built().imports(scripts) }

// Soon returns the addresses of scripts that a page with an island needs soon, separated by spaces, for the data-scripts of the island's
// element: what the island's script imports at once and the page's first script does not, then the first scripts of next, the pages that
// visitors usually open from this one.
func Soon(page, island string, next ...string) string {
	return strings.Join(built().soon(page, island, next...), " ")
}

// Handler serves GET and HEAD of /static/*, precompressed where that is smaller and the browser takes it.
func Handler() http.Handler { return built() }

// built reads the manifest and the list of files once. The embedded files cannot be unreadable at run time: an error
// here is a broken build.
var built = sync.OnceValue(func() *assets {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err)
	}
	a, err := open(sub)
	if err != nil {
		panic(err)
	}
	return a
})

// prefix is where Handler is mounted.
const prefix = "/static/"

// manifestName is the file that maps plain names to built ones; it is not served.
const manifestName = "manifest.json"

type asset struct {
	Path    string            `json:"path"`
	Imports []string          `json:"imports"`
	Scripts map[string]string `json:"scripts"`
}

type assets struct {
	files    fs.FS
	manifest map[string]asset
	variants map[string][]variant // by path below the root, without the suffix of an encoding
}

func open(files fs.FS) (*assets, error) {
	a := &assets{files: files, manifest: map[string]asset{}, variants: map[string][]variant{}}
	text, err := fs.ReadFile(files, manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil // nothing built yet
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", manifestName, err)
	}
	if err := json.Unmarshal(text, &a.manifest); err != nil {
		return nil, fmt.Errorf("read %s: %w", manifestName, err)
	}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == manifestName || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		v := variant{file: name, size: info.Size(), encoding: encodings[path.Ext(name)]}
		if v.encoding != "" {
			name = strings.TrimSuffix(name, path.Ext(name))
		}
		a.variants[name] = append(a.variants[name], v)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the built files: %w", err)
	}
	for name, variants := range a.variants {
		slices.SortFunc(variants, func(x, y variant) int { return cmp.Compare(x.size, y.size) })
		a.variants[name] = withPlain(variants)
	}
	return a, nil
}

func (a *assets) url(name string) string {
	if found, ok := a.manifest[name]; ok {
		return prefix + found.Path
	}
	return prefix + name
}

func (a *assets) preload(name string) []string {
	urls := []string{a.url(name)}
	for _, file := range a.manifest[name].Imports {
		urls = append(urls, prefix+file)
	}
	return urls
}

func (a *assets) imports(scripts []string) []string {
	var urls []string
	for _, one := range a.manifest {
		if len(one.Imports) == 0 || !slices.Contains(scripts, prefix+one.Path) {
			continue
		}
		for _, file := range one.Imports {
			if !slices.Contains(urls, prefix+file) {
				urls = append(urls, prefix+file)
			}
		}
	}
	slices.Sort(urls)
	return urls
}

func (a *assets) soon(page, island string, next ...string) []string {
	all, had := a.preload(island)[1:], a.preload(page)
	for _, name := range next {
		all = append(all, a.preload(name)...)
	}
	var urls []string
	for _, address := range all {
		if !slices.Contains(had, address) && !slices.Contains(urls, address) {
			urls = append(urls, address)
		}
	}
	return urls
}

func (a *assets) scripts(name string) map[string]string {
	all := map[string]string{}
	for file, integrity := range a.manifest[name].Scripts {
		all[prefix+file] = integrity
	}
	return all
}

// ServeHTTP answers with one file. Addresses are content-hashed, so neither dates nor tags are needed.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, prefix)
	variants, ok := a.variants[name]
	if !ok {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	best := choose(variants, r.Header.Values("Accept-Encoding"))
	content, err := best.read(a.files)
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	head := w.Header()
	head.Set("Content-Type", contentType(name))
	head.Set("Content-Length", strconv.Itoa(len(content)))
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Set("Vary", "Accept-Encoding")
	head.Set("X-Content-Type-Options", "nosniff")
	if best.encoding != "" {
		head.Set("Content-Encoding", best.encoding)
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		// The status is sent; a browser that went away is nobody's error.
		_, _ = w.Write(content)
	}
}

// Read returns an asset by its plain name; fs.ErrNotExist for one that was not built.
func Read(name string) ([]byte, error) {
	a := built()
	one, ok := a.manifest[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	variants, ok := a.variants[one.Path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return choose(variants, nil).read(a.files)
}

// Names lists the assets whose plain name begins with a prefix, such as "img/", in order.
func Names(prefix string) []string {
	var names []string
	for name := range built().manifest {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
