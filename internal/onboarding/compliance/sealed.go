package compliance

import (
	"strconv"

	"forecourt/internal/kit/secret"
)

// Sealed describes the columns that hold what people signed and provided.
func Sealed() []secret.Column {
	id := secret.Part{Name: "compliance_id", Type: "text"}
	number, side := secret.Part{Name: "number", Type: "integer"}, secret.Part{Name: "side", Type: "text"}
	whole := func(text string) int { n, _ := strconv.Atoi(text); return n } // of an integer column
	const purpose = "compliance"
	return []secret.Column{
		{
			Table: "compliance_agreement", Name: "sealed", Purpose: purpose, Key: []secret.Part{id},
			Place: func(p []string) string { return mandatePlace(p[0]) }, Lost: "the account to debit has to be asked for anew",
		},
		{
			Table: "compliance_person", Name: "sealed", Purpose: purpose, Key: []secret.Part{id, number},
			Place: func(p []string) string { return personPlace(p[0], whole(p[1])) },
			Lost:  "the person's details have to be provided anew: ask for more at /staff/compliance",
		},
		{
			Table: "compliance_image", Name: "sealed", Purpose: purpose, Key: []secret.Part{id, number, side},
			Place: func(p []string) string { return picturePlace(p[0], whole(p[1]), Side(p[2])) }, Lost: "the picture has to be uploaded anew",
		},
	}
}
