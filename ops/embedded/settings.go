package embedded

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// settings returns PostgreSQL's settings: they make it durable and small, and keep data out of its log. Settings in extra win.
func settings(extra map[string]string) map[string]string {
	all := map[string]string{
		// What was acknowledged survives a power cut.
		"fsync":              "on",
		"full_page_writes":   "on",
		"synchronous_commit": "on",

		// The machine runs other programs, too, and this one is small. The system's cache keeps what these buffers do not, and other
		// programs can claim that.
		"shared_buffers":   "64MB",
		"random_page_cost": "1.1", // disks no longer spin, and the rows that screens show are in memory
		"jit":              "off",
		"io_method":        "sync", // no worker processes

		// An order's rows change a few times within minutes. If autovacuum came rarely, dead rows would fill most of the table on a busy day.
		"autovacuum_naptime":             "15s",
		"autovacuum_vacuum_scale_factor": "0.05",

		// A checkpoint slows down commits, so on a busy day they should come by the clock, not by the size of the log. But the log must
		// never fill the disk, and after a crash all of it is replayed.
		"max_wal_size": "512MB",
		"min_wal_size": "128MB", // old files of the log are reused: a commit that has to create one waits for the disk
		// The first change of a page after a checkpoint writes the whole page.
		"wal_compression": "pglz",

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
		"log_line_prefix":                   "%m [%p] ",

		"TimeZone":                "UTC",
		"log_timezone":            "UTC",
		"unix_socket_permissions": "0700",
		"listen_addresses":        "",
	}
	maps.Copy(all, extra)
	return all
}

// arguments are the settings on postgres' command line, where they win over every file in the cluster.
func (s *Server) arguments() []string {
	all := maps.Clone(s.settings)
	all["port"] = strconv.Itoa(unixPort)
	all["unix_socket_directories"] = `"` + strings.ReplaceAll(s.socket, `"`, `""`) + `"`
	args := make([]string, 0, 2*len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		args = append(args, "-c", name+"="+all[name])
	}
	return args
}
