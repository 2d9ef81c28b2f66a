package archive

import (
	"testing"

	"forecourt/internal/kit/dbtest"
)

func TestMain(m *testing.M) {
	Child()
	dbtest.Main(m)
}
