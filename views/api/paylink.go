package api

// PaylinkProblemText says what is wrong with a field (client amount currency reference description expires) of a pay link.
// problem is "missing", "unknown", "too much", "too long", "bad", "past" or "card number".
func PaylinkProblemText(field, problem string) string {
	text, ok := map[string]string{
		"client missing":          "say which business is paid",
		"client unknown":          "there is no such business",
		"amount missing":          "the amount has to be above zero",
		"amount too much":         "the amount can be 999999.99 at most",
		"currency unknown":        "the currency has to be three capital letters of one with two decimals, such as AUD",
		"reference too long":      "the reference can have 64 characters at most",
		"reference bad":           "the reference holds characters that cannot be printed",
		"reference card number":   "the reference looks like a card number, which must not be stored",
		"description too long":    "the description can have 255 characters at most",
		"description bad":         "the description holds characters that cannot be printed",
		"description card number": "the description looks like a card number, which must not be stored",
		"expires past":            "the expiry has to be in the future",
	}[field+" "+problem]
	if !ok {
		return field + " cannot be used"
	}
	return text
}
