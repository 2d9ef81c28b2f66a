package staff_test

import (
	"testing"

	"forecourt/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }
