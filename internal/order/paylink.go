package order

import "forecourt/db/state"

// IsPaylink reports whether a transaction is shown as a pay link rather than as an order (PAY-49):
// orders from a menu have the source "diy-pos", those of other tills the reference POS or QR.
func IsPaylink(trxRef, source string) bool {
	return source != "diy-pos" && trxRef != "" && trxRef != "POS" && trxRef != "QR"
}

// kindOf returns the kind under which a transaction is stored: an order that nobody pays within two hours expires.
func kindOf(trxRef, source string) string {
	if IsPaylink(trxRef, source) {
		return state.LinkKind
	}
	return state.OrderKind
}
