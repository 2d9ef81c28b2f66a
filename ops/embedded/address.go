package embedded

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	unixPort = 5432 // names the socket file only
	// socketLimit is how long the path of the socket's folder may be, in bytes. With "/.s.PGSQL.65535" it has to fit the 107 bytes of a
	// unix address.
	socketLimit = 107 - len("/.s.PGSQL.65535")
)

// DSN is the address of a database of the running server, over its unix socket. It does not change while the server lives.
func (s *Server) DSN(database string) string { return address(s.socket, database) }

func address(socket, database string) string {
	q := url.Values{"host": {socket}, "port": {strconv.Itoa(unixPort)}}
	u := url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database, RawQuery: q.Encode()}
	return u.String()
}

// prepareSocket makes the folder for the unix socket: in the data folder, or in /tmp when that path is too
// long for a socket or holds a comma, which separates hosts in an address.
func (s *Server) prepareSocket(dir string) error {
	s.socket = filepath.Join(dir, "run")
	var err error
	if len(s.socket) > socketLimit || strings.Contains(s.socket, ",") {
		s.tempDir = true
		s.socket, err = shortFolder(dir, s.account)
	} else if err = os.Mkdir(s.socket, 0o700); err == nil || errors.Is(err, fs.ErrExist) {
		err = s.account.own(s.socket)
	}
	return err
}

// shortFolder makes a folder in /tmp. Its name depends only on the data folder, so killed programs leave one folder behind, not many.
func shortFolder(dir string, a account) (string, error) {
	sum := sha256.Sum256([]byte(dir))
	name := fmt.Sprintf("/tmp/forecourt-%x", sum[:6])
	if err := os.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	// Somebody else may have made it.
	info, err := os.Lstat(name)
	if err != nil {
		return "", err
	}
	if !info.IsDir() || info.Mode().Perm() != 0o700 || !a.owns(info) && !(account{uid: os.Geteuid()}).owns(info) {
		return "", fmt.Errorf("%s belongs to somebody else: remove it, or keep the data under a shorter path", name)
	}
	return name, os.Lchown(name, a.uid, a.gid)
}
