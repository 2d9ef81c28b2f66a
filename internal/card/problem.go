package card

// Problem says what is wrong with a field of the card form.
type Problem string

// The problems, each of which the views have words for.
const (
	Missing  Problem = "missing"  // nothing was typed
	TooLong  Problem = "too long" // more than any name or address has
	BadText  Problem = "bad"      // it cannot be what the field asks for
	Past     Problem = "past"     // an expiry that is over
	Checksum Problem = "checksum" // digits are swapped or mistyped
)
