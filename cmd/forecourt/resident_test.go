package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestWhatOnlyTheStartHasReadIsGivenBack(t *testing.T) {
	t.Parallel()
	resident := func() (kilobytes int) {
		t.Helper()
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		_, of, _ := strings.Cut(string(status), "RssFile:")
		if _, err := fmt.Sscan(of, &kilobytes); err != nil {
			t.Fatal(err)
		}
		return kilobytes
	}
	before := resident()
	forgetStart()
	if after := resident(); after > before*9/10 {
		t.Errorf("%d kB of the file were in memory, and now it is %d kB", before, after)
	}
}
