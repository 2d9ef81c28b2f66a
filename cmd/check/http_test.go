package main

import (
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// speakHTTP lists the packages below the handlers that may import net/http: those that call services elsewhere, the sandbox, which is such a
// service, and the socket on which PostgreSQL's log arrives. No other package knows what a request is.
var speakHTTP = []string{
	"db/embedded/logsocket",
	"internal/archive/store",
	"internal/certificate",
	"internal/certificate/pebbletest",
	"internal/gateway",
	"internal/gateway/sandbox",
	"internal/outbound",
	"internal/push",
}

func TestOnlyListedPackagesBelowHandlersSpeakHTTP(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	speaks := map[string]bool{}
	isProgram := func(path string) bool { return filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go") }
	for _, layer := range []string{"db", "internal", "letters", "views"} {
		err := eachFile(filepath.Join(root, layer), isProgram, func(path string, text []byte) {
			file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, imported := range file.Imports {
				if imported.Path.Value == `"net/http"` || strings.HasPrefix(imported.Path.Value, `"net/http/`) {
					folder, err := filepath.Rel(root, filepath.Dir(path))
					if err != nil {
						t.Fatal(err)
					}
					speaks[filepath.ToSlash(folder)] = true
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := slices.Sorted(maps.Keys(speaks)); !slices.Equal(got, speakHTTP) {
		t.Errorf("packages below handlers that import net/http:\n%s\nlisted in http_test.go:\n%s", strings.Join(got, "\n"), strings.Join(speakHTTP, "\n"))
	}
}
