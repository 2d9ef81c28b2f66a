package card

// Problem says what is wrong with a field of the card form.
type Problem string

// The problems; the views have a text for each.
const (
	Missing  Problem = "missing"  // nothing was typed
	TooLong  Problem = "too long" // longer than any name or address
	BadText  Problem = "bad"      // not what the field asks for
	Past     Problem = "past"     // the expiry is over
	Checksum Problem = "checksum" // digits are swapped or mistyped
)
