package embedded

import (
	"os"
	"path/filepath"
	"testing"

	"forecourt/internal/kit/check"
)

func TestRootMakesANewDataFolderForTheProgramsOwnUser(t *testing.T) { //nolint:paralleltest // sets who that is
	if os.Geteuid() != 0 {
		return // only root becomes another user
	}
	ownUser = "nobody"
	t.Cleanup(func() { ownUser = "forecourt" })
	above, err := os.MkdirTemp("/tmp", "own") //nolint:usetesting // a folder that others can reach
	check.Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(above) })
	folder := filepath.Join(above, "data")
	check.Must(t, makeOwn(folder))
	_, err = os.Stat(folder)
	check.ErrorIs(t, err, os.ErrNotExist, "in a place that the user cannot reach")
	check.Must(t, os.Chmod(above, 0o755))
	check.Must(t, makeOwn(folder))
	o, err := otherOwner(folder)
	check.Must(t, err)
	check.Equal(t, o != nil && o.name == "nobody", true, "root becomes the user")
	check.NoError(t, makeOwn(folder), "again")
}
