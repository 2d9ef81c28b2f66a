package brand

// FormatABN checks the checksum of an Australian Business Number and groups its digits as the register does: "80 000 000 001". It
// accepts an empty text, which means no number.
func FormatABN(text string) (string, bool) {
	var digits []byte
	for _, c := range []byte(text) {
		switch {
		case '0' <= c && c <= '9':
			digits = append(digits, c)
		case c != ' ':
			return "", false
		}
	}
	if len(digits) == 0 {
		return "", true
	}
	weights := []int{10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19}
	if len(digits) != len(weights) {
		return "", false
	}
	sum := -weights[0] // one is taken from the first digit
	for i, d := range digits {
		sum += int(d-'0') * weights[i]
	}
	n := string(digits)
	return n[:2] + " " + n[2:5] + " " + n[5:8] + " " + n[8:], sum%89 == 0
}
