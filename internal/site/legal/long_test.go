//go:build long

package legal_test

import "testing"

func TestAGibibyteTakesLittleMemory(t *testing.T) {
	saveAndRead(t, 1<<30)
}
