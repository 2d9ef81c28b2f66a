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

// An owner is the user that root becomes to work in that user's data folder. As root, the program would follow links that an attacker who
// took over the service had left there.
type owner struct {
	folder, name string
	uid, gid     int
	groups       []int
}

// otherOwner returns the user that root has to become to work in a data folder. It returns nil if no switch is needed: if this process
// is not root's, if the folder is root's or does not exist yet, or if this machine does not know the owner, because PostgreSQL would not
// run as an unknown user.
func otherOwner(folder string) (*owner, error) {
	if os.Geteuid() != 0 {
		return nil, nil //nolint:nilnil // nil: stay who we are
	}
	var link, stat syscall.Stat_t
	// with a slash at the end, Lstat would follow the link
	err := errors.Join(syscall.Lstat(filepath.Clean(folder), &link), syscall.Stat(folder, &stat))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // nil: stay who we are
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	if link.Uid != 0 && link.Uid != stat.Uid { // the owner of the folder above may have put it there, to send root to a folder of their choice
		return nil, fmt.Errorf(
			"%s is a link that belongs to somebody else than the folder it leads to: set FORECOURT_DATA to the folder itself", folder,
		)
	}
	if stat.Uid == 0 {
		return nil, nil //nolint:nilnil // nil: stay who we are
	}
	u, err := user.LookupId(strconv.Itoa(int(stat.Uid)))
	if errors.As(err, new(user.UnknownUserIdError)) {
		return nil, nil //nolint:nilnil // nil: stay who we are
	}
	if err != nil {
		return nil, err
	}
	names, err := u.GroupIds()
	if err != nil {
		return nil, err
	}
	o := &owner{folder: folder, name: u.Username, uid: int(stat.Uid)}
	if o.gid, err = strconv.Atoi(u.Gid); err != nil {
		return nil, err
	}
	for _, name := range names {
		group, err := strconv.Atoi(name)
		if err != nil {
			return nil, err
		}
		o.groups = append(o.groups, group)
	}
	return o, nil
}

// makeOwn makes a data folder that does not exist yet for ownUser, so that root becomes that user to work there. It makes none on a machine
// without that user, or in a place that the user cannot reach.
func makeOwn(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	a, err := serverAccount()
	if err != nil || !a.alone || reachable(filepath.Dir(folder), a) != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o700); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	return os.Lchown(folder, a.uid, a.gid)
}

// DropPrivileges drops root's privileges to the user that owns the data folder, for good. Call it before touching anything in the folder.
func DropPrivileges(folder string) error {
	if err := makeOwn(folder); err != nil {
		return err
	}
	o, err := otherOwner(folder)
	if err != nil || o == nil {
		return err
	}
	return o.become(o.uid, o.gid)
}

// AsOwner is like DropPrivileges, but the process is root again after the work. Programs started in between cannot become root.
func AsOwner(folder string, work func() error) error {
	o, err := otherOwner(folder)
	if err != nil {
		return err
	}
	if o == nil {
		return work()
	}
	groups, err := os.Getgroups()
	if err != nil {
		return err
	}
	if err := o.become(0, 0); err != nil {
		return err
	}
	err = work()
	if back := syscall.Setresuid(0, 0, 0); back != nil {
		return errors.Join(err, back)
	}
	return errors.Join(err, syscall.Setresgid(0, 0, 0), syscall.Setgroups(groups))
}

// become changes the user of every thread. The process can change back to the saved ids.
func (o *owner) become(savedUID, savedGID int) error {
	err := syscall.Setgroups(o.groups)
	if err == nil {
		err = syscall.Setresgid(o.gid, o.gid, savedGID)
	}
	if err == nil {
		err = syscall.Setresuid(o.uid, o.uid, savedUID)
	}
	if err != nil {
		return fmt.Errorf("%s belongs to %s, and root cannot become that user here: %w; run this as that user", o.folder, o.name, err)
	}
	return nil
}
