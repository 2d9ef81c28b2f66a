//go:build long

package receipt

import (
	"os/exec"
	"testing"
)

func TestOpenSSLIsInstalled(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Error("openssl is not installed, so no other program checked a signature")
	}
}
