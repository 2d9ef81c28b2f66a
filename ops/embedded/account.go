package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user PostgreSQL runs as.
type account struct {
	uid, gid int
	dropped  bool // we are root and it is not
	alone    bool // it is ownUser
}

// ownUser is a system user that only the program and its database have. A distribution's PostgreSQL runs as "postgres".
var ownUser = "forecourt" //nolint:gochecknoglobals // tests have no such user

// serverAccount returns the user for PostgreSQL: the program's own. PostgreSQL refuses to run as root, so root gives way to ownUser if
// that exists, else to "postgres", else to "nobody"; initdb needs a user with an entry in the user database.
func serverAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	for _, name := range []string{ownUser, "postgres", "nobody"} {
		u, err := user.Lookup(name)
		if errors.As(err, new(user.UnknownUserError)) {
			continue
		}
		if err != nil {
			return account{}, err
		}
		uid, uidErr := strconv.Atoi(u.Uid)
		gid, gidErr := strconv.Atoi(u.Gid)
		return account{uid: uid, gid: gid, dropped: true, alone: name == ownUser}, errors.Join(uidErr, gidErr)
	}
	return account{}, errors.New(`PostgreSQL does not run as root, and this machine has no user "forecourt", "postgres" or "nobody"`)
}

// credential makes a child process run as the account; it is nil if the process does so anyway.
func (a account) credential() *syscall.Credential {
	if !a.dropped {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)} //nolint:gosec // ids come from the user database and fit
}

// owns reports whether the file belongs to the account.
func (a account) owns(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == a.uid
}

// mayEnter reports whether the folder's mode lets the account pass through it.
func (a account) mayEnter(folder fs.FileInfo) bool {
	stat, ok := folder.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	mode := folder.Mode().Perm()
	switch {
	case int(stat.Uid) == a.uid:
		return mode&0o100 != 0
	case int(stat.Gid) == a.gid:
		return mode&0o010 != 0
	}
	return mode&0o001 != 0
}

// give makes the account the owner of a folder and everything below it. It changes the folder itself last, so the folder's owner shows
// whether give has finished. It leaves the folder by no link, since a part of it may belong to the account already.
func (a account) give(folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	err = fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		return root.Lchown(name, a.uid, a.gid)
	})
	if err := errors.Join(err, root.Close()); err != nil {
		return err
	}
	return os.Lchown(folder, a.uid, a.gid)
}

// own makes sure that an existing folder belongs to the account.
func (a account) own(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case err != nil || a.owns(info):
		return err
	case !a.dropped:
		return fmt.Errorf("%s belongs to another user: run as that user or as root", folder)
	}
	return a.give(folder)
}
