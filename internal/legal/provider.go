package legal

// Provider is the company that runs the site, as the pages, the legal documents and the guide name it. All fields are plain text, ready to
// show.
type Provider struct {
	Name string
	// Logo is an address on this site or a data: picture; empty is the picture that comes with the program.
	Logo                     string
	Australia, UnitedKingdom Office
	Licence                  string // number of the Australian Financial Services Licence
	Year                     string // of every copyright line, whatever the clock says (CHROME-08)
	// The addresses of the documents in the copyright bar: a path of this site or a web address.
	PrivacyURL, TermsURL, GuideURL string
	SupportMail                    string
}

// Office is where the provider can be reached. The Australian office has a toll-free number, the British one a fax.
type Office struct {
	Address, Phone, TollFree, Fax string
}

// Where this site shows the documents itself.
const (
	PrivacyPath = "/privacy"
	TermsPath   = "/terms"
	GuidePath   = "/guide.pdf"
)

// DefaultProvider returns a provider that does not exist. Its numbers are reserved for fiction.
func DefaultProvider() Provider {
	return Provider{
		Name:          "Forecourt",
		Australia:     Office{Address: "Level 1, 1 Example Street, Sydney NSW 2000", Phone: "+61 2 5550 0100", TollFree: "1800 975 707"},
		UnitedKingdom: Office{Address: "1 Example Square, London EC1A 1AA", Phone: "+44 20 7946 0100", Fax: "+44 20 7946 0101"},
		Licence:       "000000",
		Year:          "2025",
		PrivacyURL:    PrivacyPath,
		TermsURL:      TermsPath,
		GuideURL:      GuidePath,
		SupportMail:   "support@forecourt.test",
	}
}
