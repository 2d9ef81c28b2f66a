package account

import "strings"

// Browser names the browser and system that a User-Agent claims, such as "Chrome on Windows", or returns "Unknown browser".
// The order of the checks matters, because most browsers also claim to be others.
func Browser(agent string) string {
	name := claimed(agent, [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"FxiOS/", "Firefox"}, {"Firefox/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	})
	system := claimed(agent, [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
		{"Mac OS X", "Mac"}, {"Linux", "Linux"},
	})
	switch {
	case name == "" && system == "":
		return "Unknown browser"
	case name == "":
		return "Browser on " + system
	case system == "":
		return name
	default:
		return name + " on " + system
	}
}

func claimed(agent string, names [][2]string) string {
	for _, n := range names {
		if strings.Contains(agent, n[0]) {
			return n[1]
		}
	}
	return ""
}
