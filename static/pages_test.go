package static

import (
	"bytes"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"forecourt/internal/kit/check"
)

// scriptsOf returns the sizes, by file, of everything that scripts import statically, as a browser that accepts brotli fetches them.
func scriptsOf(t *testing.T, names ...string) map[string]int {
	t.Helper()
	a, weights := built(), map[string]int{}
	for _, name := range names {
		if _, ok := a.manifest[name]; !ok {
			t.Fatalf("%s is not built: make assets", name)
		}
		for _, address := range a.preload(name) {
			file := strings.TrimPrefix(address, prefix)
			content, err := fs.ReadFile(a.files, choose(a.variants[file], []string{"br"}).file)
			check.Must(t, err)
			weights[file] = len(content)
		}
	}
	return weights
}

func sum(weights map[string]int) (total int) {
	for _, bytes := range weights {
		total += bytes
	}
	return total
}

func TestPagesFetchFewScripts(t *testing.T) {
	t.Parallel()
	limited := map[string]bool{}
	for _, page := range []struct {
		name    string
		scripts []string
		files   int
		bytes   int
	}{
		{"the menu before the first tap", []string{"menu.js"}, 2, 5_500},
		{"the menu with its order view", []string{"menu.js", "order-basket.js"}, 4, 70_820},
		{"the payment page in place", []string{"pay.js"}, 1, 7_800}, // at most 70 kB are promised
		{"a payment under way", []string{"pay.js", "watch.js"}, 2, 22_800},
		{"the payment page with the wallets that follow when it is idle", []string{"pay.js", "wallets.js"}, 4, 78_600},
		{"menu and payment page", []string{"menu.js", "order-basket.js", "pay.js"}, 5, 77_420},
		{"menu and payment page with its wallets", []string{"menu.js", "order-basket.js", "pay.js", "wallets.js"}, 6, 84_600},
		{"the page of an item", []string{"item.js"}, 2, 4_600},
		{"a receipt", []string{"receipt.js"}, 1, 30_000},
		{"the kitchen's screen", []string{"kitchen.js"}, 1, 30_000},
		{"the start page", []string{"site.js", "landing.js"}, 2, 30_000},
		{"sign-in and the account", []string{"site.js", "account.js"}, 3, 30_000},
		{"the desk", []string{"desk.js"}, 2, 30_000},
		{"the desk's codes to print", []string{"desk.js", "qr.js"}, 3, 30_000},
		{"a form", []string{"site.js", "forms.js"}, 3, 30_000},
		{"the merchant's dashboard", []string{"site.js", "merchant.js"}, 3, 30_000},
		{"the terminal", []string{"site.js", "bridge.js"}, 3, 30_000},
		{"the hosted page", []string{"site.js", "hps.js"}, 3, 30_000},
		{"the key generator", []string{"site.js", "keygen.js"}, 3, 30_000},
		{"the demo of QR codes", []string{"site.js", "qr.js"}, 3, 30_000},
		{"the websocket test", []string{"site.js", "socket.js"}, 2, 30_000},
		{"the documentation", []string{"site.js", "docs.js"}, 2, 30_000},
		{"an identity form", []string{"site.js", "compliance.js"}, 3, 30_000},
		{"a token's page", []string{"site.js", "tokengen.js"}, 3, 30_000},
	} {
		for _, name := range page.scripts {
			limited[name] = true
		}
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			if got := scriptsOf(t, page.scripts...); len(got) > page.files || sum(got) > page.bytes {
				t.Errorf("%d bytes in %v, want at most %d in %d files", sum(got), got, page.bytes, page.files)
			}
		})
	}
	for name, script := range built().manifest {
		if len(script.Scripts) > 0 && !limited[name] {
			t.Errorf("nothing limits the page of %s", name)
		}
	}
}

func TestThePaymentPageReusesWhatTheMenuFetched(t *testing.T) {
	t.Parallel()
	more := scriptsOf(t, "pay.js", "wallets.js")
	for file := range scriptsOf(t, "menu.js", "order-basket.js") {
		delete(more, file)
	}
	if sum(more) >= 20_000 {
		t.Errorf("the payment page fetches %d more bytes in %v, want fewer than 20,000", sum(more), more)
	}
}

func TestSharedScriptsAreWorthARequest(t *testing.T) {
	t.Parallel()
	var light []string
	for _, name := range slices.Sorted(maps.Keys(built().variants)) {
		if !strings.HasPrefix(name, "chunk-") {
			continue
		}
		content, err := choose(built().variants[name], nil).read(built().files)
		check.Must(t, err)
		if len(content) < 4096 {
			light = append(light, name)
		}
	}
	check.Empty(t, light, "… have less than 4 kB: make their pages share more, or copy them into each page (cmd/assets)")
}

func TestTextsAreBuiltOnlyCompressed(t *testing.T) {
	t.Parallel()
	a := built()
	for _, name := range []string{"menu.js", "customer.css"} {
		variants := a.variants[a.manifest[name].Path]
		plain, err := choose(variants, nil).read(a.files)
		check.Must(t, err)
		packed, err := choose(variants, []string{"br"}).read(a.files)
		check.Must(t, err)
		unpacked := new(bytes.Buffer)
		if _, err := unpacked.ReadFrom(brotli.NewReader(bytes.NewReader(packed))); err != nil || !bytes.Equal(unpacked.Bytes(), plain) {
			t.Errorf("%s without brotli is a different text: %v", name, err)
		}
		_, err = fs.Stat(a.files, a.manifest[name].Path)
		check.Error(t, err, "%s is also built uncompressed", name)
	}
}
