package order

// IsPaylink reports whether the fields of a transaction, as the API returns them, denote a pay link (PAY-49). Orders from a menu have the
// source "diy-pos"; orders of other tills have the reference POS or QR. It decides nothing: an order's fields are its caller's, so what
// orders items is stored as an order whatever they say, and needs an open kitchen.
func IsPaylink(trxRef, source string) bool {
	return source != "diy-pos" && trxRef != "" && trxRef != "POS" && trxRef != "QR"
}
