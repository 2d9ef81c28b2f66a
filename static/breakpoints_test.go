package static

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

func TestTheStylesheetsKeepToTheBreakpoints(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("css/*.css")
	if err != nil || len(files) == 0 {
		t.Fatal("no stylesheets", err)
	}
	width := regexp.MustCompile(`@media[^{]*width[^{]*?(\d+(?:\.\d+)?)(px|r?em)`)
	agreed := []string{"576px", "768px", "992px", "1200px", "1400px"}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range width.FindAllStringSubmatch(string(text), -1) {
			found++
			if !slices.Contains(agreed, match[1]+match[2]) {
				t.Errorf("CONST-08 %s breaks at %s%s, want one of %v", file, match[1], match[2], agreed)
			}
		}
	}
	if found == 0 {
		t.Error("no breakpoint was found: does the pattern still fit?")
	}
}
