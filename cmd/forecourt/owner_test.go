package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"forecourt/internal/kit/check"
)

// ownedFolder makes a data folder that belongs to another user, as a service's does, or to this process's user if that is not root.
func ownedFolder(t *testing.T) (dir string, owner int) {
	t.Helper()
	dir, owner = folder(t), os.Geteuid()
	if owner == 0 {
		nobody, err := user.Lookup("nobody")
		check.Must(t, err)
		if owner, err = strconv.Atoi(nobody.Uid); err != nil {
			t.Fatal(err)
		}
	}
	check.Must(t, os.Chown(dir, owner, -1))
	check.Must(t, os.Chmod(dir, 0o700))
	return dir, owner
}

func wantOwner(t *testing.T, dir string, owner int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // PostgreSQL ends by itself once its program was killed, and removes files meanwhile
		}
		if err != nil {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != owner {
			t.Errorf("%s belongs to %d, want %d", name, stat.Uid, owner)
		}
		return nil
	})
	check.Must(t, err)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the data folder was opened to others: %v, %v", info.Mode(), err)
	}
}

// TestRootWorksAsTheOwnerOfADataFolder works as root, as operators do, on the data folder of a service that runs as another user. The
// backup belongs to root, so that nobody else can read it; a restore reads it before root becomes the owner of the data folder.
func TestRootWorksAsTheOwnerOfADataFolder(t *testing.T) {
	t.Parallel()
	data, owner := ownedFolder(t)
	archived, _ := ownedFolder(t)
	key, file := filepath.Join(t.TempDir(), "key"), filepath.Join(t.TempDir(), "copy")
	d := shell{t, map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": data, "ARCHIVE_TO": archived}}
	_, d.values["ARCHIVE_RECIPIENT"], _ = strings.Cut(strings.TrimSpace(d.does(0, "archive-key", key)), "=")
	p := startProcess(t, d.values, "serve")
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if want := fmt.Sprintf("\nUid:\t%[1]d\t%[1]d\t%[1]d\t%[1]d\n", owner); err != nil || !strings.Contains(string(status), want) {
		t.Errorf("it does not run as %d: %s, %v", owner, status, err)
	}
	if log := p.stderr.String(); strings.Count(log, `"the database was made"`) != 1 || strings.Contains(log, `"migrated"`) {
		t.Errorf("a new database is more than one line of the log: %s", log)
	}
	d.copied()
	d.as(0, "backup", file)
	p.kill()
	d.as(0, "backup", file+" of a folder that is not served")
	wantOwner(t, data, owner)
	var stat syscall.Stat_t
	if err := syscall.Stat(file, &stat); err != nil || int(stat.Uid) != os.Geteuid() {
		t.Errorf("the backup belongs to %d, %v", stat.Uid, err)
	}
	for _, args := range [][]string{{"restore", file}, {"restore", "--identity", key}} {
		restored, _ := ownedFolder(t)
		d.values["FORECOURT_DATA"] = restored
		d.as(0, args...)
		wantOwner(t, restored, owner)
	}
}

// TestRootFollowsNoLinkOfAService plays an attacker who took over the service and left links to a file of root's. Only root can follow
// them.
func TestRootFollowsNoLinkOfAService(t *testing.T) {
	t.Parallel()
	data, owner := ownedFolder(t)
	d := shell{
		t, map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": data, "FORECOURT_DEMO": "off", "SMTP_URL": "smtp://127.0.0.1:1"},
	}
	startProcess(t, d.values, "serve").kill()
	roots := filepath.Join(t.TempDir(), "roots")
	if err := os.WriteFile(roots, []byte("kept"), 0o444); err != nil { // root can write it anyway
		t.Fatal(err)
	}
	check.Must(t, os.Chmod(filepath.Dir(roots), 0o755))
	words := ""
	if os.Geteuid() == 0 {
		words = "(as nobody, who owns the data folder: "
	}
	for name, args := range map[string][]string{
		"last-backup": {"backup", filepath.Join(t.TempDir(), "copy")}, "postgres.log": {"user", "list"},
		"lock": {"payments", "list"}, "sandbox.db": {"sandbox", "--addr", "127.0.0.1:0"},
	} {
		link := filepath.Join(data, name)
		_ = os.Remove(link)
		check.Must(t, os.Symlink(roots, link))
		check.Must(t, os.Lchown(link, owner, -1))
		said := d.as(1, args...)
		if !strings.Contains(said, roots) && !strings.Contains(said, name) ||
			!strings.Contains(said, "permission denied") || !strings.Contains(said, words) {
			t.Errorf("%v says %q", args, said)
		}
		if text, err := os.ReadFile(roots); err != nil || string(text) != "kept" {
			t.Errorf("%v wrote %q over a file of root's, %v", args, text, err)
		}
		var stat syscall.Stat_t
		if err := syscall.Stat(roots, &stat); err != nil || int(stat.Uid) != os.Geteuid() {
			t.Errorf("%v gave a file of root's to %d, %v", args, stat.Uid, err)
		}
		check.Must(t, os.Remove(link))
	}
}

// TestRootIsNotSentToAnotherFolder has a service, which owns the folder above its data folder, replace the latter with a link to root's.
func TestRootIsNotSentToAnotherFolder(t *testing.T) {
	t.Parallel()
	above, owner := ownedFolder(t)
	data := filepath.Join(above, "data")
	check.Must(t, os.Symlink(folder(t), data))
	check.Must(t, os.Lchown(data, owner, -1))
	want := "has no database"
	if os.Geteuid() == 0 {
		want = "is a link that belongs to somebody else"
	}
	for _, named := range []string{data, data + "/"} {
		d := shell{t, map[string]string{"FORECOURT_DATA": named}}
		check.Contains(t, d.as(1, "user", "list"), want, "%s", named)
		check.Contains(t, d.as(1, "doctor"), want, "%s", named)
	}
}
