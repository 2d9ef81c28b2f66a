package legal

// Provider is the company that runs the site, as the pages, the legal documents and the guide name it. All fields are plain text, ready to
// show. The tags are those of the values in BRAND_FILE; those with the tag real are placeholders unless they are set.
type Provider struct {
	Name string `name:"name" type:"line" unset:"Forecourt" real:"" help:"the provider's name"`
	// Logo is an address on this site or a data: picture; empty is the picture that comes with the program.
	Logo          string `name:"logo" type:"logo" unset:"its own" help:"its logo, a path on this site or a data:image/…"`
	Australia     Office `embed:"" prefix:"au_"`
	UnitedKingdom Office `embed:"" prefix:"uk_"`
	Licence       string `name:"licence" type:"line" unset:"000000" real:""` // number of the Australian Financial Services Licence
	ABN           string `name:"abn" type:"line" unset:"none" help:"its Australian Business Number, for tax invoices about its fees"`
	// Year is that of every copyright line, whatever the clock says (CHROME-08).
	Year string `name:"year" type:"line" unset:"2025" help:"year of the copyright lines"`
	// The addresses of the documents in the copyright bar: a path of this site or a web address.
	PrivacyURL  string `name:"privacy_url" type:"document" unset:"/privacy" help:"its privacy policy, if hosted elsewhere"`
	TermsURL    string `name:"terms_url" type:"document" unset:"/terms" help:"its terms, if hosted elsewhere"`
	GuideURL    string `name:"guide_url" type:"document" unset:"/guide.pdf" help:"its financial services guide, if hosted elsewhere"`
	SupportMail string `name:"support_mail" type:"mailaddress" unset:"support@forecourt.test" real:""`
}

// Office is where the provider can be reached. What is empty is not shown.
type Office struct {
	Address  string `name:"address" type:"line" unset:"placeholder" real:""`
	Phone    string `name:"phone" type:"line" unset:"placeholder" real:"" help:"telephone there"`
	TollFree string `name:"toll_free" type:"line" unset:"placeholder for Australia" real:"" help:"toll-free telephone there"`
	Fax      string `name:"fax" type:"line" unset:"placeholder for the United Kingdom" real:"" help:"fax there"`
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
