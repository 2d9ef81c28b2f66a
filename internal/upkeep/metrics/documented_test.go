package metrics

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/ops/archive"
	"forecourt/ops/certificate"
)

// named finds figures in a file, without the suffixes that Prometheus adds to a histogram.
var named = regexp.MustCompile(`\b(forecourt_[a-z_]+?)(?:_bucket|_count|_sum)?\b`)

func TestEveryDocumentedFigureExists(t *testing.T) {
	t.Parallel()
	m := New(dbtest.Pool(t))
	m.Built("v")
	m.Streams(func() int { return 0 })
	m.Register(certificate.Collector(func() []certificate.State { return nil }))
	m.Register(archive.Collectors(func() archive.Figures { return archive.Figures{} })...)
	told := make(chan *prometheus.Desc, 1000)
	m.registry.Describe(told)
	close(told)
	var all strings.Builder
	for d := range told {
		all.WriteString(d.String())
	}
	for _, file := range []string{"alerts.yml", "grafana.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "deploy", file))
		check.Must(t, err)
		found := named.FindAllStringSubmatch(string(text), -1)
		if len(found) < 10 {
			t.Errorf("%s names %d figures, want at least 10", file, len(found))
		}
		for _, name := range found {
			check.Contains(t, all.String(), `fqName: "`+name[1]+`"`, "%s: there is no figure %s", file, name[1])
		}
	}
}
