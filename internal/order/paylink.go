package order

import "forecourt/db/state"

// IsPaylink reports whether a transaction is shown as a pay link rather than as an order (PAY-49). Orders from a menu have the source
// "diy-pos"; orders of other tills have the reference POS or QR.
func IsPaylink(trxRef, source string) bool {
	return source != "diy-pos" && trxRef != "" && trxRef != "POS" && trxRef != "QR"
}

// kindOf returns the kind that a transaction is stored with. Only an order expires if nobody pays it within two hours.
func kindOf(trxRef, source string) string {
	if IsPaylink(trxRef, source) {
		return state.LinkKind
	}
	return state.OrderKind
}
