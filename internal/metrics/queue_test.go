package metrics

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"forecourt/internal/archive"
	"forecourt/internal/certificate"
	"forecourt/internal/check"
	"forecourt/internal/dbtest"
	"forecourt/internal/must"
)

func TestWaitingJobsAreReported(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	m := New(pool)
	dbtest.Exec(t, pool, `INSERT INTO river_job (kind, state, args, max_attempts, scheduled_at, finalized_at) VALUES
		('mail', 'available', '{}', 3, now() - interval '1 hour', NULL), ('mail', 'retryable', '{}', 3, now() + interval '1 hour', NULL),
		('mail', 'completed', '{}', 3, now() - interval '1 day', now()), ('watch', 'available', '{}', 3, now(), NULL)`)
	m.Streams(func() int { return 7 })
	families, err := m.Gatherer().Gather()
	must.NoError(t, err)
	got := map[string]float64{}
	for _, f := range families {
		for _, figure := range f.GetMetric() {
			name := f.GetName()
			for _, label := range figure.GetLabel() {
				name += " " + label.GetValue()
			}
			got[name] = figure.GetGauge().GetValue()
		}
	}
	for name, want := range map[string]float64{
		"forecourt_jobs mail available": 1, "forecourt_jobs mail retryable": 1, "forecourt_jobs watch available": 1, "forecourt_streams_open": 7,
	} {
		check.Equal(t, got[name], want, "%s", name)
	}
	if _, told := got["forecourt_jobs mail completed"]; told {
		t.Error("completed jobs are counted")
	}
	if late := got["forecourt_job_oldest_seconds"]; late < 3600 || late > 4000 {
		t.Errorf("the oldest job waits %v s, want an hour", late)
	}
}

// named finds figures in a file, without the suffixes that Prometheus adds to a histogram.
var named = regexp.MustCompile(`\b(forecourt_[a-z_]+?)(?:_bucket|_count|_sum)?\b`)

func TestEveryDocumentedFigureExists(t *testing.T) {
	t.Parallel()
	m := New(dbtest.Pool(t))
	m.Built("v")
	m.Streams(func() int { return 0 })
	m.Certificates(func() []certificate.State { return nil })
	m.Archive(func() archive.Figures { return archive.Figures{} })
	told := make(chan *prometheus.Desc, 1000)
	m.registry.Describe(told)
	close(told)
	var all strings.Builder
	for d := range told {
		all.WriteString(d.String())
	}
	for _, file := range []string{"alerts.yml", "grafana.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "deploy", file))
		must.NoError(t, err)
		found := named.FindAllStringSubmatch(string(text), -1)
		if len(found) < 10 {
			t.Errorf("%s names %d figures, want at least 10", file, len(found))
		}
		for _, name := range found {
			check.Contains(t, all.String(), `fqName: "`+name[1]+`"`, "%s: there is no figure %s", file, name[1])
		}
	}
}
