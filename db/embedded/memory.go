package embedded

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// cgroups is the folder in which Linux shows the limits of groups of processes.
const cgroups = "/sys/fs/cgroup"

// Memory returns how many bytes of memory this process and its children may use, or 0 if that is unknown.
func Memory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	group, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		group = nil
	}
	return limited(info.Totalram*uint64(info.Unit), cgroups, string(group))
}

// limited returns the smallest of the machine's memory and the limits on this process's group and every group above it. group is the
// content of /proc/self/cgroup.
func limited(memory uint64, root, group string) uint64 {
	_, path, found := strings.Cut(group, "0::")
	if !found {
		path = "/" // a container sees its own group there
	}
	for path = filepath.Clean("/" + strings.TrimSpace(path)); ; path = filepath.Dir(path) {
		text, err := os.ReadFile(filepath.Join(root, path, "memory.max")) //nolint:gosec // the kernel says which group it is
		// "max" is no limit.
		if limit, bad := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil && bad == nil {
			memory = min(memory, limit)
		}
		if path == "/" {
			return memory
		}
	}
}
