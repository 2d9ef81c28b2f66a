package embedded

import (
	"fmt"
	"os"

	"forecourt/db/embedded/logsocket"
)

// logCommand is the first argument of a program that PostgreSQL starts for a file of its log.
const logCommand = "postgres-wal"

// Child must be among the first calls of main, and of the TestMain of packages that archive. In a process that PostgreSQL started, it
// passes one file of the log to or from the program that runs PostgreSQL, and exits. In one that unpackAside started, it unpacks and exits.
func Child() {
	switch {
	case len(os.Args) >= 5 && os.Args[1] == logCommand:
		code, err := logsocket.Pass(os.Args[2], os.Args[3], os.Args[4:])
		if err != nil {
			fmt.Fprintln(os.Stderr, "forecourt: archive:", err)
		}
		os.Exit(code)
	case len(os.Args) == 4 && os.Args[1] == unpackCommand:
		if err := unpack(dist, os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	able.Store(true)
}
