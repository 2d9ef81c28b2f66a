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

// WalletProblem says why the data from a wallet cannot be used.
type WalletProblem string

// The problems of wallets; the views have a text for each.
const (
	WalletUnknown WalletProblem = "wallet" // neither of the two
	WalletEmpty   WalletProblem = "token"  // nothing to charge
	WalletEmail   WalletProblem = "email"  // not a valid address
	WalletAddress WalletProblem = "address"
)
