package handlers_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/must"
)

// TestViewsReachNoDatabaseAndNoRequest checks everything that views import, directly or indirectly. Only templ and static may import
// net/http, because they serve HTTP themselves.
func TestViewsReachNoDatabaseAndNoRequest(t *testing.T) {
	t.Parallel()
	list, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "forecourt/views/...").Output()
	must.NoError(t, err)
	pages := 0
	for line := range strings.Lines(string(list)) {
		imports := strings.Fields(line)
		name := imports[0]
		if strings.HasPrefix(name, "forecourt/views/") {
			pages++
		}
		if name == "forecourt/db" || within(name, "forecourt/handlers", "forecourt/cmd", "github.com/jackc", "github.com/riverqueue") {
			t.Errorf("views reach %s", name)
		}
		if within(name, "forecourt") && name != "forecourt/static" && slices.Contains(imports[1:], "net/http") {
			t.Errorf("views reach net/http through %s", name)
		}
	}
	if pages < 10 {
		t.Errorf("only %d packages of pages were checked", pages)
	}
}

func within(name string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") })
}
