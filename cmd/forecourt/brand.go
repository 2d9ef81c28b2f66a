package main

import (
	"cmp"
	"strconv"
	"time"

	"forecourt/internal/legal"
)

// readBrand replaces unset values with neutral ones.
func (c *config) readBrand() {
	p := legal.DefaultProvider()
	c.provider = legal.Provider{
		Name: cmp.Or(c.BrandName, p.Name), Logo: cmp.Or(c.BrandLogo, p.Logo),
		Australia: legal.Office{
			Address: cmp.Or(c.BrandAUAddress, p.Australia.Address), Phone: cmp.Or(c.BrandAUPhone, p.Australia.Phone),
			TollFree: cmp.Or(c.BrandAUTollFree, p.Australia.TollFree),
		},
		UnitedKingdom: legal.Office{
			Address: cmp.Or(c.BrandUKAddress, p.UnitedKingdom.Address), Phone: cmp.Or(c.BrandUKPhone, p.UnitedKingdom.Phone),
			Fax: cmp.Or(c.BrandUKFax, p.UnitedKingdom.Fax),
		},
		Licence: cmp.Or(c.BrandLicence, p.Licence), Year: cmp.Or(c.BrandYear, c.unsetYear(p.Year)),
		PrivacyURL: cmp.Or(c.BrandPrivacyURL, p.PrivacyURL), TermsURL: cmp.Or(c.BrandTermsURL, p.TermsURL),
		GuideURL: cmp.Or(c.BrandGuideURL, p.GuideURL), SupportMail: cmp.Or(c.BrandSupportMail, p.SupportMail),
	}
}

// unsetYear returns the year of the copyright lines if no setting names one: the specification's in demo mode, otherwise the current one.
func (c *config) unsetYear(demo string) string {
	if c.demo {
		return demo
	}
	return strconv.Itoa(time.Now().Year())
}

// madeUp lists the values of BRAND_FILE that a site for real people lacks. Without them it shows made-up names, addresses and numbers.
func (c *config) madeUp() (names []string) {
	if c.demo {
		return nil
	}
	for _, one := range []struct{ name, value string }{
		{"name", c.BrandName}, {"support_mail", c.BrandSupportMail}, {"licence", c.BrandLicence},
		{"au_address", c.BrandAUAddress}, {"au_phone", c.BrandAUPhone}, {"au_toll_free", c.BrandAUTollFree},
		{"uk_address", c.BrandUKAddress}, {"uk_phone", c.BrandUKPhone}, {"uk_fax", c.BrandUKFax},
	} {
		if one.value == "" {
			names = append(names, one.name)
		}
	}
	return names
}
