//go:build long

package document_test

import "testing"

func TestAGibibyteTakesLittleMemory(t *testing.T) {
	saveAndRead(t, 1<<30)
}
