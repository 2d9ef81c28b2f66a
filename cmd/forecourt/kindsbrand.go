package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"forecourt/internal/mailaddr"
	"forecourt/internal/printable"
)

const (
	// maxBrandText is the length in characters of the longest name, address or number that the pages have room for.
	maxBrandText = 200
	// maxBrandLogo is the length of the longest logo inside a data: address, which every page carries.
	maxBrandLogo = 8 << 10
)

var (
	phonePattern = regexp.MustCompile(`^\+?[0-9][0-9 ()-]{2,30}$`)
	yearPattern  = regexp.MustCompile(`^[12][0-9]{3}$`)
	pathPattern  = regexp.MustCompile(`^/[\w.~%!$&'()*+,;=:@-][\w.~%!$&'()*+,;=:@/?-]*$`)
)

func readLine(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !printable.Line(text, maxBrandText) {
		return "", fmt.Errorf("it has to be one line of at most %d characters", maxBrandText)
	}
	return text, nil
}

func readPhone(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !phonePattern.MatchString(text) {
		return "", fmt.Errorf("%q is not a phone number, such as +61 2 5550 0100", text)
	}
	return text, nil
}

func readYear(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !yearPattern.MatchString(text) {
		return "", fmt.Errorf("%q is not a year", text)
	}
	return text, nil
}

func readMailAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !mailaddr.Valid(text) {
		return "", fmt.Errorf("%q is not a mail address", text)
	}
	return text, nil
}

func readDocument(text string) (string, error) {
	text = strings.TrimSpace(text)
	if _, err := webAddress(text); err != nil && !pathPattern.MatchString(text) {
		return "", fmt.Errorf("%q is neither a path of this site nor http(s)://HOST/…", text)
	}
	return text, nil
}

// readLogo reads the address of a logo. Pages may show only pictures of this site and those inside a data: address.
func readLogo(text string) (string, error) {
	text = strings.TrimSpace(text)
	inside := strings.HasPrefix(text, "data:image/") && len(text) <= maxBrandLogo && !strings.ContainsAny(text, " \t\r\n")
	if !inside && !pathPattern.MatchString(text) {
		return "", errors.New("it is neither a path of this site nor a data:image/… of at most 8 KB")
	}
	return text, nil
}
