//go:build long

package receipt

import (
	"os/exec"
	"testing"
)

func TestOpenSSLIsThereToCheckReceipts(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Error("openssl is not installed, so nobody but ourselves checked a signature")
	}
}
