package archive

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestAnErrorRepeatsLittleOfAFile(t *testing.T) {
	t.Parallel()
	const version = "age-encryption.org/v1\n"
	long := strings.Repeat("a", 1<<20)
	for name, header := range map[string]string{
		"a first line": long + "\n", "a line": version + long + "\n", "a stanza": version + "-> " + long + "\n", "a kind": version + "-> " + long + " \x00\n",
		"a body": version + "-> scrypt a 10\n" + long + "\n", "an end": version + "--- " + long + "\n",
	} {
		_, err := unseal(strings.NewReader(header), key)
		if !errors.Is(err, ErrDamaged) || len(err.Error()) > 500 {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	if _, err := unseal(iotest.ErrReader(io.ErrClosedPipe), key); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a file that cannot be read: %v", err)
	}
}
