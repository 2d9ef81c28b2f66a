package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"forecourt/internal/kit/check"
)

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string // a part of the output; "" for none
	}{
		{"no command", nil, 2, "", "Usage: forecourt <command>"},
		{"--help", []string{"--help"}, 0, "serve --help", ""},
		{"-h", []string{"-h"}, 0, "Usage: forecourt <command>", ""},
		{"help", []string{"help"}, 0, "Usage: forecourt <command>", ""},
		{"an unknown command", []string{"sevre"}, 2, "", `forecourt: unexpected argument sevre, did you mean one of "serve"`},
		{"an unknown flag", []string{"serve", "--port", "1"}, 2, "", "forecourt serve: unknown flag --port"},
		{"an argument that it does not take", []string{"migrate", "now"}, 2, "", "forecourt migrate: unexpected argument now"},
		{
			"a setting on the command line", []string{"serve", "--FORECOURT_SECRET", "hunter2"},
			2, "", "forecourt serve: unknown flag --FORECOURT_SECRET; see",
		},
		{"help of some commands", []string{"invite", "help"}, 0, "invite reissue", ""},
		{"help of serve", []string{"serve", "--help"}, 0, "FORECOURT_ADDR", ""},
		{"help of sandbox", []string{"sandbox", "--help"}, 0, "127.0.0.1:3016", ""},
		{"help of bridge (BRIDGE-16)", []string{"bridge", "--help"}, 0, "127.0.0.1:3015", ""},
		{"help of migrate", []string{"migrate", "-h"}, 0, "Usage: forecourt migrate", ""},
		{"help of demo", []string{"demo", "--help"}, 0, "Usage: forecourt demo", ""},
		{"version", []string{"version"}, 0, "forecourt ", ""},
		{"an address that is taken", []string{"sandbox", "--addr", "256.0.0.1:1"}, 1, "", "forecourt: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr strings.Builder
			code := run(t.Context(), tt.args, from(map[string]string{"FORECOURT_DATA": t.TempDir()}), &stdout, &stderr)
			check.Equal(t, code, tt.code, "exit code")
			for stream, said := range map[string][2]string{"stdout": {stdout.String(), tt.stdout}, "stderr": {stderr.String(), tt.stderr}} {
				if !strings.Contains(said[0], said[1]) || said[1] == "" && said[0] != "" {
					t.Errorf("%s says %q, want %q", stream, said[0], said[1])
				}
			}
			if len(tt.args) > 0 && tt.code > 0 && strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("more than one line: %q", &stderr)
			}
		})
	}
}

func TestEveryCommandIsListedAndHasHelp(t *testing.T) {
	t.Parallel()
	ask := func(args ...string) string {
		var out strings.Builder
		check.Equal(t, run(t.Context(), slices.Concat(args, []string{"--help"}), from(nil), &out, &out), 0, "%v --help", args)
		return out.String()
	}
	parser, err := newParser()
	check.Must(t, err)
	usage, leaves := ask(), parser.Model.Leaves(true)
	if len(leaves) < 35 {
		t.Fatalf("%d commands", len(leaves))
	}
	for _, leaf := range leaves {
		words := strings.Fields(leaf.Path())
		for n := 1; n <= len(words); n++ {
			if help := ask(words[:n]...); !strings.HasPrefix(help, "Usage: forecourt "+strings.Join(words[:n], " ")) {
				t.Errorf("%v --help: %q", words[:n], help)
			}
		}
		if !strings.Contains(usage, "  "+leaf.Path()+"  ") || leaf.Help == "" {
			t.Errorf("%s is not listed", leaf.Path())
		}
	}
}

func TestTheSecretIsMadeOnceAndKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := loadSecret(dir, "secret")
	if err != nil || len(first) < 32 {
		t.Fatalf("%d bytes, %v", len(first), err)
	}
	if again, err := loadSecret(dir, "secret"); err != nil || again != first {
		t.Errorf("the second start has a different secret, %v", err)
	}
	if other, _ := loadSecret(t.TempDir(), "secret"); other == first {
		t.Error("two folders share a secret")
	}
	info, err := os.Stat(filepath.Join(dir, "secret"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	entries, _ := os.ReadDir(dir)
	check.Equal(t, len(entries), 1, "other files are left: %v", entries)
	check.Must(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("cut off"), 0o600))
	other, err := loadSecret(dir, "secret")
	check.Error(t, err, "a truncated file was replaced with %d bytes, so what was encrypted with it is lost", len(other))
	_, err = loadSecret(filepath.Join(dir, "nowhere"), "secret")
	check.Error(t, err, "no error for a missing folder")
	check.Must(t, os.Mkdir(filepath.Join(dir, "as-folder"), 0o700))
	check.Must(t, os.MkdirAll(filepath.Join(dir, "as-folder", "secret"), 0o700))
	if _, err := loadSecret(filepath.Join(dir, "as-folder"), "secret"); err == nil || !strings.HasPrefix(err.Error(), "secret:") {
		t.Errorf("a secret that cannot be read: %v", err)
	}
}

// TestACrashIsNoWrongSetting has the unit leave a server stopped only for an exit code that no crash has: Go ends a program that panics
// with 2.
func TestACrashIsNoWrongSetting(t *testing.T) {
	t.Parallel()
	unit, err := os.ReadFile("../../deploy/forecourt.service")
	check.Must(t, err)
	check.Contains(t, string(unit), "\nRestartPreventExitStatus=78\n", "the unit does not name %d", noRestart)
	shell{t, map[string]string{"INVOCATION_ID": "0123", "FORECOURT_ADDR": "nowhere"}}.fails(noRestart, "FORECOURT_ADDR", "serve")
	p := startProcess(t, map[string]string{"FORECOURT_DATA": folder(t), "FORECOURT_ADDR": "127.0.0.1:0"}, "serve")
	if err := p.cmd.Process.Signal(syscall.SIGQUIT); err != nil { // which ends it as a panic does
		t.Fatal(err)
	}
	<-p.ended
	if code := p.cmd.ProcessState.ExitCode(); code == noRestart || code == 0 {
		t.Errorf("a crash ends with %d", code)
	}
}

func TestALostSecretIsReportedWhenAnotherOneIsMade(t *testing.T) {
	t.Parallel()
	for opened, want := range map[int64]bool{0: false, 216: true} { // 0: a new database
		var log strings.Builder
		d := &database{folder: t.TempDir(), opened: opened, log: slog.New(slog.NewTextHandler(&log, nil))}
		_, err := d.readSecret(config{})
		check.Must(t, err)
		check.Equal(t, strings.Contains(log.String(), "had no secret, so a new one was made"), want,
			"with a database of version %d the log says %q", opened, &log)
		log.Reset()
		if _, err := d.readSecret(config{}); err != nil || log.Len() > 0 {
			t.Errorf("the next start logs %q, %v", &log, err)
		}
	}
}
