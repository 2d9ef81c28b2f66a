package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user PostgreSQL runs as.
type account struct {
	uid, gid int
	dropped  bool // we are root and it is not
}

// serverAccount returns the user for PostgreSQL in a data folder: the program's own. PostgreSQL refuses to run as root, so root gives way
// to the owner of the folder or, if root owns it, to "postgres" if that user exists, else to "nobody"; initdb needs a user with an entry in
// the user database.
func serverAccount(dir string) (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	if a, ok := folderOwner(dir); ok {
		return a, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if errors.As(err, new(user.UnknownUserError)) {
			continue
		}
		if err != nil {
			return account{}, err
		}
		return accountOf(u)
	}
	return account{}, errors.New(`PostgreSQL does not run as root, and this machine has no user "postgres" or "nobody"`)
}

// accountOf returns the account of a user to whom root gives way.
func accountOf(u *user.User) (account, error) {
	uid, uidErr := strconv.Atoi(u.Uid)
	gid, gidErr := strconv.Atoi(u.Gid)
	return account{uid: uid, gid: gid, dropped: true}, errors.Join(uidErr, gidErr)
}

// folderOwner returns the owner of a data folder that root runs the program on, unless root owns it.
func folderOwner(dir string) (a account, other bool) {
	info, err := os.Stat(dir)
	if err != nil || os.Geteuid() != 0 {
		return a, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid == 0 {
		return a, false
	}
	u, err := user.LookupId(strconv.Itoa(int(stat.Uid)))
	if err != nil {
		return a, false
	}
	a, err = accountOf(u)
	return a, err == nil
}

// Entrust gives what root made in a data folder to the folder's owner, who could not read it otherwise. It does nothing in a folder of
// root's own, and for any other user.
func Entrust(dir string) error {
	a, other := folderOwner(dir)
	if !other {
		return nil
	}
	root, err := os.OpenRoot(dir) // the owner may put a link anywhere
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil {
			info, err = d.Info()
		}
		if errors.Is(err, fs.ErrNotExist) { // a serving program works here
			return nil
		}
		if err != nil {
			return err
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		switch {
		case ok && stat.Uid == 0 && (d.IsDir() || stat.Nlink == 1): // another name may be outside
			if err := root.Lchown(name, a.uid, a.gid); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		case d.IsDir() && name != ".":
			return fs.SkipDir
		}
		return nil
	})
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

// give makes the account the owner of a folder and everything below it. The folder itself comes last, so that its owner shows
// whether the job is complete.
func (a account) give(folder string) error {
	var folders []string
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			folders = append(folders, name)
			return nil
		}
		return os.Lchown(name, a.uid, a.gid)
	})
	for i := len(folders) - 1; i >= 0 && err == nil; i-- {
		err = os.Lchown(folders[i], a.uid, a.gid)
	}
	return err
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
