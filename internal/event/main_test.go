package event_test

import (
	"testing"

	"forecourt/internal/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }
