package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWhatOnlyTheStartHasReadIsGivenBack(t *testing.T) {
	t.Parallel()
	// resident returns the memory of files, also of those that lie in memory themselves, as temporary ones do.
	resident := func() (kilobytes int) {
		t.Helper()
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"RssFile:", "RssShmem:"} {
			var part int
			_, of, _ := strings.Cut(string(status), kind)
			if _, err := fmt.Sscan(of, &part); err != nil {
				t.Fatal(err)
			}
			kilobytes += part
		}
		return kilobytes
	}
	adviseOwnFile(unix.MADV_POPULATE_READ) // all of it, so that what other tests read meanwhile is little beside it
	before := resident()
	forgetStart()
	if after := resident(); after > before*9/10 {
		t.Errorf("%d kB of the file were in memory, and now it is %d kB", before, after)
	}
}
