package main

import (
	"fmt"
	"regexp"
	"strings"

	"forecourt/internal/mailaddr"
	"forecourt/internal/printable"
	"forecourt/internal/provider"
)

// maxBrandText is the length in bytes of the longest name, address or number that the pages have room for.
const maxBrandText = 200

// maxBrandLogo is that of a picture inside an address, which every page carries.
const maxBrandLogo = 8 << 10

// readBrand reads who runs the site. What is not set keeps its neutral value.
func readBrand(c *config, getenv func(string) string) error {
	p := provider.Default()
	for _, s := range []struct {
		name  string
		value *string
		check func(string) string
	}{
		{"BRAND_NAME", &p.Name, line},
		{"BRAND_LOGO", &p.Logo, logoAddress},
		{"BRAND_AU_ADDRESS", &p.Australia.Address, line},
		{"BRAND_AU_PHONE", &p.Australia.Phone, phone},
		{"BRAND_AU_TOLL_FREE", &p.Australia.TollFree, phone},
		{"BRAND_UK_ADDRESS", &p.UnitedKingdom.Address, line},
		{"BRAND_UK_PHONE", &p.UnitedKingdom.Phone, phone},
		{"BRAND_UK_FAX", &p.UnitedKingdom.Fax, phone},
		{"BRAND_LICENCE", &p.Licence, line},
		{"BRAND_YEAR", &p.Year, year},
		{"BRAND_PRIVACY_URL", &p.PrivacyURL, documentAddress},
		{"BRAND_TERMS_URL", &p.TermsURL, documentAddress},
		{"BRAND_GUIDE_URL", &p.GuideURL, documentAddress},
		{"BRAND_SUPPORT_MAIL", &p.SupportMail, mailAddress},
	} {
		value := strings.TrimSpace(getenv(s.name))
		if value == "" {
			continue
		}
		if problem := s.check(value); problem != "" {
			return &settingError{s.name, problem}
		}
		*s.value = value
	}
	c.provider = p
	return nil
}

func line(value string) string {
	if !printable.Line(value, maxBrandText) {
		return fmt.Sprintf("it has to be one line of at most %d characters", maxBrandText)
	}
	return ""
}

var phonePattern = regexp.MustCompile(`^\+?[0-9][0-9 ()-]{2,30}$`)

func phone(value string) string {
	if !phonePattern.MatchString(value) {
		return fmt.Sprintf("%q is not a phone number, such as +61 2 5550 0100", value)
	}
	return ""
}

var yearPattern = regexp.MustCompile(`^[12][0-9]{3}$`)

func year(value string) string {
	if !yearPattern.MatchString(value) {
		return fmt.Sprintf("%q is not a year", value)
	}
	return ""
}

func mailAddress(value string) string {
	if !mailaddr.Valid(value) {
		return fmt.Sprintf("%q is not a mail address", value)
	}
	return ""
}

func documentAddress(value string) string {
	if ownPath(value) {
		return ""
	}
	if _, err := webAddress(value); err != nil {
		return fmt.Sprintf("%q is neither a path of this site nor http(s)://HOST/…", value)
	}
	return ""
}

// logoAddress: pages show pictures of this site and those that stand in the address itself.
func logoAddress(value string) string {
	inside := strings.HasPrefix(value, "data:image/") && len(value) <= maxBrandLogo && !strings.ContainsAny(value, " \t\r\n")
	if inside || ownPath(value) {
		return ""
	}
	return "it is neither a path of this site nor a data:image/… of at most 8 KB"
}

var pathPattern = regexp.MustCompile(`^/[\w.~%!$&'()*+,;=:@-][\w.~%!$&'()*+,;=:@/?-]*$`)

func ownPath(value string) bool { return pathPattern.MatchString(value) }
