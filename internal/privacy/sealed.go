package privacy

import (
	"strconv"

	"github.com/google/uuid"

	"forecourt/internal/clock"
	"forecourt/internal/secret"
)

// Purpose is the purpose of the key that seals copies of data.
const Purpose = "data copies"

// Sealed describes the column that holds the parts of copies.
func Sealed() []secret.Column {
	return []secret.Column{{
		Table: "data_copy_part", Name: "sealed", Purpose: Purpose,
		Key: []secret.Part{{Name: "copy_id", Type: "uuid"}, {Name: "try", Type: "int"}, {Name: "n", Type: "int"}},
		Place: func(p []string) string {
			try, _ := strconv.ParseInt(p[1], 10, 32)
			n, _ := strconv.ParseInt(p[2], 10, 32)
			return partPlace(uuid.MustParse(p[0]), int32(try), int32(n))
		},
		Lost: "the person asks for another copy; this one goes after " + clock.Span(CopyKeptFor),
	}}
}
