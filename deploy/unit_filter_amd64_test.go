//go:build long

package deploy_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestTheProgramWorksUnderTheFiltersOfItsUnit runs the program with its database, and the child that decodes pictures, under a filter. Only the system
// calls that forecourt.service allows work, and no memory can be both written and executed, as with the unit's SystemCallFilter and
// MemoryDenyWriteExecute; bubblewrap loads the filter. The unit's other restrictions are not tested here. The numbers of the calls are
// those of amd64, as the file's name says.
func TestTheProgramWorksUnderTheFiltersOfItsUnit(t *testing.T) {
	dir := t.TempDir()
	program := built(t)
	unit, err := os.ReadFile("forecourt.service")
	if err != nil {
		t.Fatal(err)
	}
	allowed := allowedCalls(t, string(unit))
	if len(allowed) < 200 || slices.Contains(allowed, unix.SYS_SETRLIMIT) || !slices.Contains(allowed, unix.SYS_READ) {
		t.Fatalf("the unit allows only %d calls", len(allowed))
	}
	if !strings.Contains(string(unit), "MemoryDenyWriteExecute=yes\n") {
		t.Fatal("the unit allows memory that is written and executed")
	}
	filter := filepath.Join(dir, "filter")
	if err := os.WriteFile(filter, compile(t, allowed), 0o600); err != nil {
		t.Fatal(err)
	}
	users, err := os.ReadFile("/etc/passwd")
	if err != nil {
		t.Fatal(err)
	}
	passwd := filepath.Join(dir, "passwd")
	if err := os.WriteFile(passwd, append(users, "forecourt:x:10001:10001::/data:/usr/sbin/nologin\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	// filtered returns a command that runs under the filter and has its own folder to write to.
	filtered := func(args ...string) *exec.Cmd {
		folder, err := os.MkdirTemp(dir, "data")
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := os.Open(filter)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = loaded.Close() })
		cmd := exec.CommandContext(t.Context(), "bwrap", slices.Concat([]string{
			"--unshare-user", "--uid", "10001", "--gid", "10001", "--unshare-pid", "--die-with-parent", "--cap-drop", "ALL", "--seccomp", "3",
			"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--ro-bind", program, "/tmp/forecourt", "--bind", folder, "/mnt",
			"--ro-bind", passwd, "/etc/passwd", "--chdir", "/mnt", "--clearenv", "--setenv", "FORECOURT_DATA", "/mnt/data", "--setenv", "FORECOURT_ADDR", "127.0.0.1:0",
		}, args)...)
		cmd.ExtraFiles, cmd.WaitDelay = []*os.File{loaded}, 10*time.Second
		return cmd
	}

	t.Run("a forbidden call fails", func(t *testing.T) {
		// chroot is in @privileged and nice in @resources; without the filter, both would work or fail with another message.
		said, err := filtered("nice", "-n", "5", "true").CombinedOutput()
		if !strings.Contains(string(said), "Operation not permitted") {
			t.Errorf("nice: %v %s", err, said)
		}
		if said, err := filtered("true").CombinedOutput(); err != nil {
			t.Errorf("true: %v %s", err, said)
		}
	})
	t.Run("the child decodes a picture", func(t *testing.T) {
		var picture, said bytes.Buffer
		if err := jpeg.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 2000, 1500)), nil); err != nil {
			t.Fatal(err)
		}
		child := filtered("/tmp/forecourt", "decode-picture", strconv.Itoa(200<<20), "5", strconv.Itoa(picture.Len()), "1000")
		child.Stdin, child.Stderr = &picture, &said
		out, err := child.Output()
		if err != nil || len(out) < 4 {
			t.Fatalf("%v: %d bytes, %s", err, len(out), &said)
		}
		made, err := jpeg.DecodeConfig(bytes.NewReader(out[4:]))
		if err != nil || made.Width != 1000 || made.Height != 750 {
			t.Errorf("the picture is %d by %d, %v", made.Width, made.Height, err)
		}
	})
	t.Run("the program serves with its database", func(t *testing.T) {
		inside := filtered("--setenv", "FORECOURT_DEMO", "off", "--setenv", "SMTP_URL", "smtp://127.0.0.1:1", "/tmp/forecourt", "serve")
		inside.Stderr = t.Output()
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
	})
}

// allowedCalls returns the numbers of the system calls that a unit allows: those that its first SystemCallFilter lists, without those that
// the filters beginning with ~ list. systemd-analyze lists the calls in a group.
func allowedCalls(t *testing.T, unit string) []int {
	t.Helper()
	numbers := callNumbers(t)
	allowed := map[int]bool{}
	for _, line := range regexp.MustCompile(`(?m)^SystemCallFilter=(~?)(.*)$`).FindAllStringSubmatch(unit, -1) {
		for _, name := range strings.Fields(line[2]) {
			for _, call := range expand(t, name) {
				if number, ok := numbers[call]; ok { // the rest belong to other processors
					allowed[number] = line[1] == ""
				}
			}
		}
	}
	maps.DeleteFunc(allowed, func(_ int, yes bool) bool { return !yes })
	return slices.Sorted(maps.Keys(allowed))
}

// expand lists the calls of a group, including those of the groups in it.
func expand(t *testing.T, name string) (calls []string) {
	t.Helper()
	if !strings.HasPrefix(name, "@") {
		return []string{name}
	}
	said, err := exec.CommandContext(t.Context(), "systemd-analyze", "syscall-filter", "--no-pager", name).Output()
	if err != nil {
		t.Fatalf("systemd-analyze syscall-filter %s: %v", name, err)
	}
	for line := range strings.Lines(string(said)) {
		if member := strings.TrimSpace(line); strings.HasPrefix(line, " ") && !strings.HasPrefix(member, "#") {
			calls = append(calls, expand(t, member)...)
		}
	}
	return calls
}

// callNumbers reads the numbers of the system calls from golang.org/x/sys.
func callNumbers(t *testing.T) map[string]int {
	t.Helper()
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "unix", "zsysnum_linux_amd64.go"))
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[string]int{}
	for _, found := range regexp.MustCompile(`(?m)^\tSYS_(\w+)\s+= (\d+)$`).FindAllStringSubmatch(string(source), -1) {
		numbers[strings.ToLower(found[1])], err = strconv.Atoi(found[2])
		if err != nil {
			t.Fatal(err)
		}
	}
	return numbers
}

// compile returns a filter for amd64 under which the allowed calls work, no memory is both written and executed, and any other call
// fails with EPERM (SystemCallErrorNumber).
func compile(t *testing.T, allowed []int) []byte {
	t.Helper()
	const (
		load, equal, anyBit, end = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, unix.BPF_RET | unix.BPF_K
		call, processor, third   = 0, 4, 32 // places in struct seccomp_data: the call, the processor, the third argument
		allow, refuse, kill      = unix.SECCOMP_RET_ALLOW, unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM), unix.SECCOMP_RET_KILL_PROCESS
	)
	program := []unix.SockFilter{
		{Code: load, K: processor}, {Code: equal, Jt: 1, K: unix.AUDIT_ARCH_X86_64}, {Code: end, K: kill},
		{Code: load, K: call},
		// Refuse mmap with both rights. The bits are tested one after the other.
		{Code: equal, Jf: 4, K: unix.SYS_MMAP}, {Code: load, K: third}, {Code: anyBit, Jf: 6, K: unix.PROT_WRITE}, {Code: anyBit, Jf: 5, K: unix.PROT_EXEC}, {Code: end, K: refuse},
		// Refuse mprotect that makes memory executable.
		{Code: equal, Jf: 3, K: unix.SYS_MPROTECT}, {Code: load, K: third}, {Code: anyBit, Jf: 1, K: unix.PROT_EXEC}, {Code: end, K: refuse},
		{Code: load, K: call},
	}
	for _, number := range allowed {
		program = append(program, unix.SockFilter{Code: equal, Jf: 1, K: uint32(number)}, unix.SockFilter{Code: end, K: allow})
	}
	program = append(program, unix.SockFilter{Code: end, K: refuse})
	var made bytes.Buffer
	if err := binary.Write(&made, binary.NativeEndian, program); err != nil {
		t.Fatal(err)
	}
	return made.Bytes()
}
