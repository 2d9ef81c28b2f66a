package account

import "strings"

// browser says in plain words what a User-Agent claims, such as "Chrome on Windows"; "Unknown browser" for what is none of
// the common ones. Most browsers claim to be others as well, so that the order counts.
func browser(agent string) string {
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
