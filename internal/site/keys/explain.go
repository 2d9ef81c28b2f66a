package keys

// Explain says what a mistake is and what to do, for the developer who made it.
func (m Mistake) Explain() string { return explanations[m] }

// Explanations returns the text for each mistake, for pages that diagnose in the browser.
func Explanations() map[string]string {
	words := make(map[string]string, len(explanations))
	for m, text := range explanations {
		words[string(m)] = text
	}
	return words
}

var explanations = map[Mistake]string{ //nolint:gosec // words about secrets
	UpperHex:         "The key is in capitals. Write the hex digits a to f in lower case.",
	SpaceAroundKey:   "There is a space or a line break around the key. Send the hex digits alone.",
	Base64:           "The key is the right hash written as Base64. Write it as hex.",
	OtherHash:        "The key was made with the other hash function. The hosted page takes SHA-1, the API SHA-256.",
	CurrencyLower:    "The currency went into the key in lower case. Use capitals, such as GBP.",
	AmountNotFixed:   "The amount went into the key without exactly two decimals. 5 has to be 5.00.",
	AmountMinor:      "The amount went into the key in pence or cents. 5.00 is not 500.",
	AmountComma:      "The amount went into the key with a decimal comma. Use a point.",
	AmountGrouped:    "The amount went into the key with commas between thousands. Leave them out.",
	SecretSwapped:    "The secret and the reference are swapped. The reference comes first.",
	SecretFirst:      "The secret comes first in the key. It has to come last.",
	AmountFirst:      "The amount comes before the currency. The currency has to come first.",
	SecretMissing:    "The key was made without the secret.",
	SecretSpace:      "A space beside the secret is in one of the two and not in the other. Copy the secret alone.",
	ReferenceSpace:   "A space beside the reference is in one of the two and not in the other.",
	ReferenceMissing: "The key was made without the merchant reference.",
	NewlineAtEnd:     "A line break was hashed as well. In a shell, use printf instead of echo.",
	Separator:        "There is something between the parts. Join them without any separator.",
	MD5:              "The key has the length of an MD5 hash. The hosted page takes SHA-1, the API SHA-256.",
	Empty:            "The key is empty.",
	Unknown: "The key does not match, and none of the usual mistakes explains it. Check that secret, " +
		"reference, amount and currency are those of this request.",
}
