//go:build long

package deploy_test

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTheStepsOfTheDockerfile performs them without Docker: Debian's mmdebstrap makes the system that FROM and apt-get give, the other steps run
// in it, and the program, which make build and make dist build alike, starts as the image's user on a read-only root, with the folder that a
// new volume would be. It needs root.
func TestTheStepsOfTheDockerfile(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("run it as root: only root makes a system with files of another user")
	}
	file := dockerfile(t)
	root := filepath.Join(t.TempDir(), "root")
	install := regexp.MustCompile(`apt-get install -y --no-install-recommends ([a-z0-9 -]+?) *&&`).FindStringSubmatch(file["RUN"])
	if file["FROM"] != "debian:12-slim" || install == nil {
		t.Fatalf("FROM %s, RUN %s", file["FROM"], file["RUN"])
	}
	said(t, exec.CommandContext(t.Context(), "mmdebstrap", "--quiet", "--variant=minbase", "--include="+strings.Join(strings.Fields(install[1]), ","), "bookworm", root))
	var steps []string
	for step := range strings.SplitSeq(file["RUN"], "&&") {
		if !strings.Contains(step, "apt") {
			steps = append(steps, step)
		}
	}
	said(t, exec.CommandContext(t.Context(), "chroot", root, "/bin/sh", "-ec", strings.Join(steps, "&&")))

	from, to, _ := strings.Cut(strings.TrimPrefix(file["COPY"], "--chmod=0755 "), " ")
	if !strings.HasPrefix(from, "dist/forecourt-linux-") || !filepath.IsAbs(to) {
		t.Fatalf("COPY %s", file["COPY"])
	}
	said(t, exec.CommandContext(t.Context(), "install", "-m", "0755", built(t), filepath.Join(root, to)))

	// inside is a command in the container, as the documented docker run starts it.
	inside := func(args ...string) *exec.Cmd {
		user, group, _ := strings.Cut(file["USER"], ":")
		all := []string{
			"--unshare-pid", "--unshare-ipc", "--die-with-parent", "--cap-add", "ALL", "--ro-bind", root, "/", "--dev", "/dev", "--proc", "/proc", "--perms", "1777", "--tmpfs", "/tmp",
			"--bind", filepath.Join(root, file["VOLUME"]), file["VOLUME"], "--chdir", file["WORKDIR"], "--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin",
		}
		for value := range strings.FieldsSeq(file["ENV"] + " FORECOURT_ADDR=127.0.0.1:0 FORECOURT_URL=https://pay.example SMTP_URL=smtp://127.0.0.1:1") {
			name, value, _ := strings.Cut(value, "=")
			all = append(all, "--setenv", name, value)
		}
		all = append(all, "setpriv", "--reuid="+user, "--regid="+group, "--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")
		cmd := exec.CommandContext(t.Context(), "bwrap", slices.Concat(all, args)...)
		cmd.Stderr, cmd.WaitDelay = t.Output(), 10*time.Second
		return cmd
	}
	rights := said(t, inside("sh", "-c", `id -u; id -un; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status
		for place in / /usr/local/bin /etc /var/tmp; do touch $place/x 2>/dev/null && echo "can write $place"; done
		touch /data/x /tmp/x && rm /data/x && echo "can write what it needs"`))
	if want := "10001\nforecourt\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\ncan write what it needs\n"; rights != want {
		t.Errorf("inside:\n%s, want\n%s", rights, want)
	}

	command := regexp.MustCompile(`"([^"]+)"`)
	var args []string
	for _, word := range command.FindAllStringSubmatch(file["ENTRYPOINT"]+file["CMD"], -1) {
		args = append(args, word[1])
	}
	serve := inside(args...)
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = serve.Process.Kill(); _ = serve.Wait() })
	address := ""
	for lines := bufio.NewScanner(out); address == "" && lines.Scan(); {
		_, address, _ = strings.Cut(lines.Text(), "listening on ")
	}
	for path, want := range map[string]int{"/readyz": 200, "/pos/panezski": 404, "/dev/outbox": 404, "/sandbox/hps": 404} { // it is not a demo
		res, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
		}
	}
}

// dockerfile returns the arguments of each instruction. Every instruction occurs once.
func dockerfile(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	file := map[string]string{}
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", "")) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || name == "#" {
			continue
		}
		if file[name] != "" {
			t.Fatalf("%s is there twice", name)
		}
		file[name] = strings.Join(strings.Fields(rest), " ")
	}
	return file
}

// said runs a command and returns its output.
func said(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	cmd.Stderr = nil
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", cmd.Args, err, out)
	}
	return string(out)
}
