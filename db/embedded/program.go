package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	oldest  = 14 // the oldest PostgreSQL that works
	builtin = 17 // the first with its own locale provider

	noCluster = 0 // instead of a cluster's version
)

// program is an unpacked or installed PostgreSQL.
type program struct {
	bin   string // folder of initdb and postgres
	major int
}

// findProgram chooses the PostgreSQL that fits the cluster: the packed one, unpacked into the data folder, else the newest one
// installed on this machine.
func findProgram(ctx context.Context, dir, cluster string) (program, error) {
	wanted, err := clusterMajor(cluster)
	if err != nil {
		return program{}, err
	}
	found, err := packedProgram(dist, dir, func(home string) error { return unpackAside(ctx, dir, home) })
	if err != nil {
		return program{}, err
	}
	installed, err := installedPrograms("/usr/lib/postgresql")
	if err != nil {
		return program{}, err
	}
	return chooseProgram(append(found, installed...), wanted)
}

// chooseProgram returns the first program of the wanted version.
func chooseProgram(found []program, wanted int) (program, error) {
	for _, p := range found {
		if wanted == noCluster || p.major == wanted {
			return p, nil
		}
	}
	if wanted != noCluster {
		return program{}, fmt.Errorf("the database there was made by PostgreSQL %d, which this program does not carry "+
			"and this machine does not have", wanted)
	}
	return program{}, fmt.Errorf("this program was built without a PostgreSQL, and this machine has none of version %d or newer", oldest)
}

// clusterMajor returns the version that made the cluster, or noCluster if there is none yet.
func clusterMajor(cluster string) (int, error) {
	data, err := os.ReadFile(filepath.Join(cluster, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return noCluster, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(data)))
}

// installedPrograms lists the versions that Debian's packages installed below root, newest first.
func installedPrograms(root string) ([]program, error) {
	servers, err := filepath.Glob(filepath.Join(root, "*", "bin", "postgres"))
	if err != nil {
		return nil, err
	}
	var found []program
	for _, server := range servers {
		bin := filepath.Dir(server)
		major, err := strconv.Atoi(filepath.Base(filepath.Dir(bin)))
		if err == nil && major >= oldest {
			found = append(found, program{bin: bin, major: major})
		}
	}
	slices.SortFunc(found, func(a, b program) int { return cmp.Compare(b.major, a.major) })
	return found, nil
}
