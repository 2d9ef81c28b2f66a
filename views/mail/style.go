package mail

// Styles that carry the sender's colours. Both are "#rrggbb" from the brand, never what somebody typed.

func bandStyle(s Sender) string {
	return "padding:18px 28px;border-radius:14px 14px 0 0;background:" + s.Accent + ";color:" + s.OnTop + ";font-size:18px;font-weight:700"
}

func buttonStyle(s Sender) string {
	return "display:inline-block;padding:14px 24px;border-radius:8px;background:" + s.Accent + ";color:" + s.OnTop + ";font-size:16px;font-weight:700;text-decoration:none"
}
