package main

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
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
				if err := noteBackup(d.folder, "/backups/copy"); err != nil {
					t.Fatal(err)
				}
				at := time.Now().Add(-tt.age)
				if err := os.Chtimes(lastBackup(d.folder), at, at); err != nil {
					t.Fatal(err)
				}
			}
			d.backup(t.Context())
			if tt.want == "" {
				if len(d.findings) > 0 {
					t.Errorf("%+v", d.findings)
				}
				return
			}
			wantFinding(t, d, "backup", tt.want, tt.says)
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
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTheDoctorFindsThatABackupIsDamaged(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "copy")
	if err := os.WriteFile(file, []byte("no backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	copied, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = copied.Close() }()
	d := &doctor{config: archivedTo(t, t.TempDir()), copied: copied} // which is tried although there is an archive
	d.File = file
	d.restore(t.Context())
	wantFinding(t, d, "restore", fail, file+": it is not a whole backup")
}

// TestADoctorRemovesWhatAKilledOneLeft does not run beside others, whose folders lie in the same place.
func TestADoctorRemovesWhatAKilledOneLeft(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	left, used := filepath.Join(os.TempDir(), "forecourt-doctor-1"), filepath.Join(os.TempDir(), "forecourt-doctor-2")
	for _, folder := range []string{left, used} {
		if err := os.MkdirAll(filepath.Join(folder, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := lockTrial(used)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }()
	_, err = tryRestore(t.Context(), func(string) error { return os.ErrInvalid })
	if !errors.Is(err, os.ErrInvalid) {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(os.TempDir())
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(used) {
		t.Errorf("there are %v, %v; want the folder of the doctor that runs alone", entries, err)
	}
}

// TestDoctorsOfTheSameMomentDoNotTakeEachOthersFolders does not run beside others, whose folders lie in the same place.
func TestDoctorsOfTheSameMomentDoNotTakeEachOthersFolders(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var doctors sync.WaitGroup
	for range 8 {
		doctors.Go(func() {
			for range 50 {
				_, err := tryRestore(t.Context(), func(folder string) error {
					return errors.Join(os.ErrInvalid, os.Mkdir(folder, 0o700))
				})
				if err == nil || err.Error() != os.ErrInvalid.Error() {
					t.Error(err)
				}
			}
		})
	}
	doctors.Wait()
	if entries, err := os.ReadDir(os.TempDir()); err != nil || len(entries) != 0 {
		t.Errorf("they left %v, %v", entries, err)
	}
}
