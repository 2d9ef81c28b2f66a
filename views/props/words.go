package props

// Limits of an order, as package order sets them.
const (
	MaxQty  = 99
	MaxName = 64
)

// Words of an order before it is paid.
const (
	NameLabel       = "Please provide a name for the order"
	NameMissing     = "Enter a name to call out when your order is ready"
	ToPayment       = "Proceed to Payment"
	ToTestPayment   = "Test Payment"
	AddMore         = "Add more items"
	NothingChosen   = "Nothing chosen yet"
	ChooseSomething = "Choose something from the menu, and it appears here."
	NotNow          = "Not available now"
	NoLonger        = "No longer available"
	PaidAlready     = "Somebody has already paid this order. To order the same for yourself, go on."
	ItemsTotal      = "Items"
	Tip             = "Tip"
	NoTip           = "No tip"
	OtherTip        = "Other"
	TipAmount       = "Your tip"
	TipMissing      = "Enter your tip as an amount, such as 2.00"
)

// Words of the payment page. AppleDeclined is spelled as required (WALLET-26).
const (
	AppleDeclined = "Transaction Declined.Please try again.."
	NoRealWallet  = "Simulated wallets"
)

// Words about a new password.
const (
	PasswordShort   = "Minimum 8 characters"          //nolint:gosec // words, no credentials
	PasswordLong    = "Use at most 1,000 characters." //nolint:gosec // words, no credentials
	PasswordDiffers = "Passwords don't match"
)

// Words of the developer demos.
const (
	NoAmount     = "Enter an amount above zero, such as 5.00"
	NoCallsYet   = "Each call to the service appears here with its answer."
	SameInCode   = "The same request in code"
	SecretHidden = "The secret comes from the environment of your server."
	KeyMatches   = "The key matches."
	KeyDiffers   = "The key does not match"
)
