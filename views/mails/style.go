package mails

import "github.com/a-h/templ"

// The colours of a letter, which is light in every mail program.
const (
	ground     = "#f3f5f9" // around the letter
	sheet      = "#ffffff"
	border     = "#e2e5ec"
	ink        = "#14171f"
	quiet      = "#5a6272"
	testGround = "#2b2100"
	onTest     = "#ffd54a"
)

// styled returns a style as an attribute. Many mail programs ignore style sheets.
func styled(style string) templ.Attributes { return templ.Attributes{"style": style} }

// Styles that carry the sender's colours. Both are "#rrggbb" from the brand, never what somebody typed.

func bandStyle(s Sender) string {
	return "padding:18px 28px;border-radius:14px 14px 0 0;background:" + s.Accent + ";color:" + s.OnTop + ";font-size:18px;font-weight:700"
}

func buttonStyle(s Sender) string {
	return "display:inline-block;padding:14px 24px;border-radius:8px;background:" + s.Accent + ";color:" +
		s.OnTop + ";font-size:16px;font-weight:700;text-decoration:none"
}
