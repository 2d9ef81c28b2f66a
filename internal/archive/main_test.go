package archive

import (
	"testing"

	"forecourt/internal/dbtest"
)

func TestMain(m *testing.M) {
	Child()
	dbtest.Main(m)
}
