package embedded

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const mb = 1 << 20

// walSize returns how many bytes of log PostgreSQL may write between two checkpoints, given the free bytes of its disk. A checkpoint
// slows down commits, so on a busy day they should come by the clock, not by the size of the log. But the log must never fill the disk,
// and after a crash all of it is replayed.
func walSize(free uint64) uint64 { return min(max(free/16, 256*mb), 1024*mb) }

// bufferSize returns how many bytes of pages PostgreSQL keeps itself, given the bytes of the machine's memory. The system's cache keeps the
// rest, which other programs can claim.
func bufferSize(memory uint64) uint64 { return min(max(memory/128, 32*mb), 256*mb) }

// freeOn returns the free bytes of a folder's disk, or 0 if they are unknown.
func freeOn(dir string) uint64 {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return 0
	}
	return disk.Bavail * uint64(disk.Bsize) //nolint:gosec // a block is larger than nothing
}

// megabytes is a size as PostgreSQL reads it.
func megabytes(size uint64) string { return strconv.FormatUint(size/mb, 10) + "MB" }

// settings returns PostgreSQL's settings for so many free bytes on its disk and so many bytes of memory: they make it durable and small,
// and keep data out of its log. Settings in extra win.
func settings(extra map[string]string, major int, free, memory uint64) map[string]string {
	wal, buffers := walSize(free), bufferSize(memory)
	all := map[string]string{
		// What was acknowledged survives a power cut.
		"fsync":              "on",
		"full_page_writes":   "on",
		"synchronous_commit": "on",
		"wal_level":          "replica", // enough for a backup and an archive

		// The machine runs other programs, too, and this one is small.
		"shared_buffers":       megabytes(buffers),
		"effective_cache_size": megabytes(max(memory/2, 4*buffers)), // allocates nothing: the planner only assumes it
		"random_page_cost":     "1.1",                               // disks no longer spin, and the rows that screens show are in memory
		"max_connections":      "100",
		"jit":                  "off",

		// An order's rows change a few times within minutes. If autovacuum came rarely, dead rows would fill most of the table on a busy day.
		"autovacuum_naptime":             "15s",
		"autovacuum_vacuum_scale_factor": "0.05",

		"max_wal_size": megabytes(wal),
		"min_wal_size": megabytes(wal / 4), // old files of the log are reused: a commit that has to create one waits for the disk
		// The first change of a page after a checkpoint writes the whole page.
		"wal_compression":              "pglz",
		"checkpoint_completion_target": "0.9",

		"max_parallel_workers_per_gather": "0", // queries want few rows, and starting a process for them would take longer than the query

		"max_logical_replication_workers": "0", // nothing replicates, so no process for it

		// Messages may quote values that somebody typed. So messages about statements go only to the client, and no message carries
		// details, statements or parameters.
		"log_min_messages":                  "log",
		"log_min_error_statement":           "panic",
		"log_error_verbosity":               "terse",
		"log_parameter_max_length":          "0",
		"log_parameter_max_length_on_error": "0",
		"log_checkpoints":                   "off",
		"log_autovacuum_min_duration":       "-1",
		"log_destination":                   "stderr",
		"log_line_prefix":                   "%m [%p] ",

		"TimeZone":                "UTC",
		"log_timezone":            "UTC",
		"unix_socket_permissions": "0700",
		"listen_addresses":        "",
	}
	if major >= 18 {
		all["io_method"] = "sync" // no worker processes
	}
	maps.Copy(all, extra)
	return all
}

// arguments are the settings on postgres' command line, where they win over every file in the cluster.
func (s *Server) arguments() []string {
	all := maps.Clone(s.settings)
	all["port"] = strconv.Itoa(s.port)
	all["unix_socket_directories"] = `"` + strings.ReplaceAll(s.socket, `"`, `""`) + `"`
	if s.tcp {
		all["listen_addresses"] = "127.0.0.1"
	}
	args := make([]string, 0, 2*len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		args = append(args, "-c", name+"="+all[name])
	}
	return args
}
