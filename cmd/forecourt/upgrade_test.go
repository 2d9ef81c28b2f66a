package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/ops/embedded"
)

// previous is a backup of a demo with a few payments, made by an earlier release (ea5d910).
var previous = filepath.Join("testdata", "ea5d910.backup")

func TestABackupOfThePreviousReleaseIsRestored(t *testing.T) {
	t.Parallel()
	d := shell{t, map[string]string{"FORECOURT_DATA": dataFolder(t)}}
	d.says(0, "Restored.", "restore", previous)
	if said := d.does(0, "migrate"); !strings.HasPrefix(said, "The database is up to date: version ") {
		t.Errorf("a second migration says %q", said)
	}
}

// TestDataOfThePreviousReleaseOpens unpacks the backup only, as the previous release would leave its data folder, because forecourt
// restore migrates as well.
func TestDataOfThePreviousReleaseOpens(t *testing.T) {
	t.Parallel()
	d := shell{t, map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": dataFolder(t)}}
	file, err := os.Open(previous)
	check.Must(t, err)
	defer func() { _ = file.Close() }()
	_, err = embedded.Recover(t.Context(), d.values["FORECOURT_DATA"], keptFiles(), file, embedded.Recovery{})
	check.Must(t, err)
	said := d.does(0, "migrate")
	step := regexp.MustCompile(`(?m)^\d{5}_\w+\.sql  [\d.]+m?s$`)
	if !step.MatchString(said) || !strings.Contains(said, "\nMigrated from version 1") {
		t.Errorf("migrate prints no step with its duration: %q", said)
	}
	if said := d.does(0, "migrate"); !strings.HasPrefix(said, "The database is up to date: version ") {
		t.Errorf("a second migration says %q", said)
	}
	p := start(t, d.values, "serve")
	site := p.ready()
	for path, want := range map[string][]string{
		"/api/pos/panezski/VCKYJNOFDKK3BP6KE35QGLNBSQ": {`"status":"success"`, `"amount":"5.50"`},
		"/api/pos/panezski/W5W2STSSQV2KRAELKLKK3OCC5E": {`"status":"error"`, `"amount":"11.00"`},
		"/api/pos/panezski/CX3U2ZREC2VVCXEC3L7AMBX25S": {`"status":"success"`, `"amount":"16.50"`},
		"/api/pos/panezski/PEIKNZKOXDDC53PM4ECBUMZ7BW": {`"status":"success"`, `"amount":"22.00"`, `"refunded":"5.00"`},
		"/pos/panezski?t=4":                            {"Butter Croissant"},
	} {
		status, body := get(t, site+path)
		for _, text := range want {
			if status != 200 || !strings.Contains(body, text) {
				t.Errorf("%s: %d, or the page lacks %s", path, status, text)
			}
		}
	}
	// A value that the earlier release sealed, a business's account at the gateway, can be opened.
	if said := d.does(0, "merchant", "gateway", "panezski"); !strings.Contains(said, "test") || strings.Contains(said, "cannot be opened") {
		t.Errorf("gateway accounts: %q", said)
	}
	d.says(0, "ann@example.com", "user", "list")
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
}

func TestADataFolderOfANewerReleaseIsRefused(t *testing.T) {
	t.Parallel()
	dir := demoFolder(t)
	d := shell{t, map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": dir, "FORECOURT_DEMO": "on"}}
	p := start(t, d.values, "serve")
	p.ready()
	dbtest.Exec(t, connectInside(t, dir, false), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)")
	// This holds both while the newer release serves and after it has stopped.
	const want = "the database was last used by a newer release of this program"
	if said := d.does(1, "migrate"); !strings.Contains(said, want) || !strings.Contains(said, dir) {
		t.Errorf("while the newer release serves: %q", said)
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
	for _, command := range []string{"serve", "demo"} {
		if said := d.does(1, command); !strings.Contains(said, want) || strings.Count(said, "\n") > 1 {
			t.Errorf("%s: %q", command, said)
		}
	}
	_, err := os.Stat(filepath.Join(dir, "cluster", "postmaster.pid"))
	check.Error(t, err, "PostgreSQL still runs")
}
