//go:build long

package deploy_test

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheProgramNeedsOnlyItsDataFolder runs the program as a container does: as a user of its own, with a read-only root file system,
// and with a data folder and a /tmp to write to. It needs Debian's bubblewrap.
func TestTheProgramNeedsOnlyItsDataFolder(t *testing.T) {
	dir := t.TempDir()
	program, data := built(t), filepath.Join(dir, "data")
	users, err := os.ReadFile("/etc/passwd")
	if err != nil {
		t.Fatal(err)
	}
	passwd := filepath.Join(dir, "passwd")
	if err := os.WriteFile(passwd, append(users, "forecourt:x:10001:10001::/data:/usr/sbin/nologin\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	inside := exec.CommandContext(t.Context(), "bwrap", "--unshare-user", "--uid", "10001", "--gid", "10001", "--unshare-pid", "--die-with-parent", "--cap-drop", "ALL",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--ro-bind", program, "/tmp/forecourt", "--bind", data, "/mnt",
		"--ro-bind", passwd, "/etc/passwd", "--remount-ro", "/", "--chdir", "/mnt", "--clearenv",
		"--setenv", "FORECOURT_DATA", "/mnt", "--setenv", "FORECOURT_ADDR", "127.0.0.1:0", "--setenv", "FORECOURT_DEMO", "off", "--setenv", "SMTP_URL", "smtp://127.0.0.1:1", "/tmp/forecourt", "serve")
	inside.Stderr, inside.WaitDelay = t.Output(), 10*time.Second
	out, err := inside.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := inside.Start(); err != nil {
		t.Fatalf("%v: make proxies installs it", err)
	}
	t.Cleanup(func() { _ = inside.Process.Kill(); _ = inside.Wait() })
	address := ""
	for lines := bufio.NewScanner(out); address == "" && lines.Scan(); {
		_, address, _ = strings.Cut(lines.Text(), "listening on ")
	}
	res, err := http.Get(address + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("/readyz: %d", res.StatusCode)
	}
}
