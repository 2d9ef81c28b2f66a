package card

// Problem says what is wrong with a field of the card form, and never repeats what was typed.
type Problem string

// The problems; the views have a text for each.
const (
	Missing  Problem = "missing"  // nothing was typed
	TooLong  Problem = "too long" // longer than any name or address
	BadText  Problem = "bad"      // not what the field asks for
	Past     Problem = "past"     // the expiry is over
	Checksum Problem = "checksum" // digits are swapped or mistyped
)

func (p Problem) Error() string { return "card: " + string(p) }
