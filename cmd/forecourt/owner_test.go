package main

import (
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// TestRootLeavesADataFolderToItsOwner lets root work, as operators do, on the data folder of a service with a user of its own.
func TestRootLeavesADataFolderToItsOwner(t *testing.T) {
	t.Parallel()
	data, owner := folder(t), os.Geteuid()
	if owner == 0 {
		nobody, err := user.Lookup("nobody")
		if err != nil {
			t.Fatal(err)
		}
		if owner, err = strconv.Atoi(nobody.Uid); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(data, owner, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(data, 0o700); err != nil {
		t.Fatal(err)
	}
	file, folders := filepath.Join(t.TempDir(), "copy"), []string{data}
	d := drill{t, map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": data, "FORECOURT_ARCHIVE": t.TempDir(), "FORECOURT_ARCHIVE_KEY": archiveKey}}
	p := start(t, d.values, "serve")
	p.ready()
	d.copies(1)
	d.does(0, "backup", file)
	if code := p.end(); code != 0 {
		t.Errorf("stopped with %d: %s", code, p.stderr)
	}
	for _, args := range [][]string{{"restore", file}, {"restore"}} {
		restored := folder(t)
		if err := os.Chown(restored, owner, -1); err != nil {
			t.Fatal(err)
		}
		d.values["FORECOURT_DATA"] = restored
		d.does(0, args...)
		folders = append(folders, restored)
	}
	for _, dir := range folders {
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			stat, ok := info.Sys().(*syscall.Stat_t)
			if name == filepath.Join(dir, "forecourt-wal") { // another name of the program itself, which stays root's
				return nil
			}
			if !ok || int(stat.Uid) != owner {
				t.Errorf("%s belongs to %d, want %d", name, stat.Uid, owner)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(data); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the data folder was opened to others: %v, %v", info.Mode(), err)
	}
}
