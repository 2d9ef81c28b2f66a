package logsocket

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
)

// PostgreSQL distinguishes these exit codes: after 1 it tries again or, in a recovery, takes the log to have ended; after one above 125 a
// recovery fails.
const (
	exitAgain = 1
	exitFatal = 200
)

// Pass asks the Server at a socket to archive a file of the log, or to restore it to the path that follows its name in args. It returns the
// exit code for PostgreSQL.
func Pass(what, socket string, args []string) (code int, err error) {
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	method := map[string]string{"archive": http.MethodPut, "restore": http.MethodGet}[what]
	req, err := http.NewRequestWithContext(context.Background(), method, "http://forecourt/"+args[0], nil)
	if err != nil {
		return exitFatal, err
	}
	res, err := client.Do(req)
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
	f, err := os.OpenFile(args[1], os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
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
