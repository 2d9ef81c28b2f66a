package main

import (
	"os"
	"testing"
	"time"

	"forecourt/internal/kit/must"
)

func TestTheDoctorJudgesTheAgeOfABackup(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		age      time.Duration // 0: there is none
		archived bool
		want     verdict // "" for no line
		says     string
	}{
		"none":                                 {0, false, warn, "there is no backup yet"},
		"none, and none is needed":             {0, true, "", ""},
		"of this night":                        {35 * time.Hour, false, fine, "/backups/copy is 35h0m0s old"},
		"of the night before":                  {37 * time.Hour, false, warn, "37h0m0s old"},
		"of the night before, with an archive": {37 * time.Hour, true, fine, "37h0m0s old"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &doctor{folder: t.TempDir()}
			if tt.archived {
				d.config = archivedTo(t, t.TempDir())
			}
			if tt.age > 0 {
				must.NoError(t, noteBackup(d.folder, "/backups/copy"))
				at := time.Now().Add(-tt.age)
				must.NoError(t, os.Chtimes(lastBackupNote(d.folder), at, at))
			}
			found, err := d.backup(t.Context())
			if err != nil || tt.want == "" && found != (finding{}) || tt.want != "" && !found.is(tt.want, tt.says) {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}

// someRecipient is nobody's.
const someRecipient = "age1kke5ythd2cevpsj44gvenug5d04ae0u25y8m085g2z3ahlnnupcqcletsw"

// archivedTo returns the settings of a site with an archive in a folder.
func archivedTo(t *testing.T, place string) config {
	t.Helper()
	c, err := readConfig(from(map[string]string{
		"ARCHIVE_TO": place, "ARCHIVE_RECIPIENT": someRecipient,
	}))
	must.NoError(t, err)
	return c
}
