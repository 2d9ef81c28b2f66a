package pay_test

import (
	"testing"

	"forecourt/internal/kit/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }
