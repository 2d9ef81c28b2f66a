package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
)

// logCommand is the first argument of a program that PostgreSQL starts for a file of its log.
const logCommand = "postgres-wal"

// PostgreSQL distinguishes these exit codes: after 1 it tries again or, in a recovery, takes the log to have ended; after one above 125 a
// recovery fails.
const (
	exitAgain = 1
	exitFatal = 200
)

// Child must be among the first calls of main, and of the TestMain of packages that archive. In a process that PostgreSQL started, it
// passes one file of the log to or from the program that runs PostgreSQL, and exits. In one that unpackAside started, it unpacks and exits.
func Child() {
	switch {
	case len(os.Args) >= 5 && os.Args[1] == logCommand:
		code, err := passFile(os.Args[2], os.Args[3], os.Args[4:])
		if err != nil {
			fmt.Fprintln(os.Stderr, "forecourt: archive:", err)
		}
		os.Exit(code)
	case len(os.Args) == 4 && os.Args[1] == unpackCommand:
		if err := unpack(dist, os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	able.Store(true)
}

// passFile archives the file that args name, or restores it to the path that follows the name.
func passFile(what, socket string, args []string) (code int, err error) {
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	method := map[string]string{"archive": http.MethodPut, "restore": http.MethodGet}[what]
	req, err := http.NewRequestWithContext(context.Background(), method, "http://forecourt/"+args[0], nil) //nolint:gosec // to a unix socket
	if err != nil {
		return exitFatal, err
	}
	res, err := client.Do(req) //nolint:gosec // to a unix socket
	if err != nil {
		return exitCode(what), err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound && what == "restore":
		return exitAgain, nil
	case res.StatusCode != http.StatusOK:
		said, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10))
		return exitCode(what), errors.New(strings.TrimSpace(string(said)))
	case what == "archive":
		return 0, nil
	case len(args) < 2:
		return exitFatal, errors.New("restore needs a path")
	}
	f, err := os.OpenFile(args[1], os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // PostgreSQL names the path
	if err != nil {
		return exitFatal, err
	}
	_, err = io.Copy(f, res.Body)
	if err := errors.Join(err, f.Close()); err != nil {
		return exitFatal, err
	}
	return 0, nil
}

// exitCode returns the code for a file that could not be passed on.
func exitCode(what string) int {
	if what == "archive" {
		return exitAgain // PostgreSQL keeps the file and carries on
	}
	return exitFatal
}
