package doctor

import (
	"os"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

func TestTheDoctorJudgesTheAgeOfABackup(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		age      time.Duration // 0: there is none
		archived bool
		want     Verdict // "" for no line
		says     string
	}{
		"none":                                 {0, false, Warn, "there is no backup yet"},
		"none, and none is needed":             {0, true, "", ""},
		"of this night":                        {35 * time.Hour, false, Fine, "/backups/copy is 35h0m0s old"},
		"of the night before":                  {37 * time.Hour, false, Warn, "37h0m0s old"},
		"of the night before, with an archive": {37 * time.Hour, true, Fine, "37h0m0s old"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &Doctor{Site: Site{Folder: t.TempDir(), Archived: tt.archived}}
			if tt.age > 0 {
				check.Must(t, NoteBackup(d.Folder, "/backups/copy"))
				at := time.Now().Add(-tt.age)
				check.Must(t, os.Chtimes(lastBackupNote(d.Folder), at, at))
			}
			found, err := d.backup(t.Context())
			if err != nil || tt.want == "" && found != (Finding{}) || tt.want != "" && !found.is(tt.want, tt.says) {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}
