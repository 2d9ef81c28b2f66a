// Package clock words moments for people: by the clock of a business, with the zone named.
package clock

import (
	"strings"
	"time"
	_ "time/tzdata" // a machine that lacks the list of time zones must not print another hour
)

// Home is the zone of somebody who has no business yet. A new business starts with it.
const Home = "Australia/Sydney"

// Zone returns the time zone with an IANA name; UTC if there is none of that name.
func Zone(name string) *time.Location {
	if name == "" || name == "Local" {
		return time.UTC
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Text words a moment by the clock of a zone: "22 November 2026, 3:12 pm AEDT".
func Text(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2 January 2006, 3:04\u00a0pm\u00a0") + Name(t, zone)
}

// Exact is Text with seconds.
func Exact(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2 January 2006, 3:04:05\u00a0pm\u00a0") + Name(t, zone)
}

// Day words the date of a moment in a zone: "22 November 2026".
func Day(t time.Time, zone *time.Location) string { return t.In(zone).Format("2 January 2006") }

// Name returns what people call a zone at a moment, such as "AEDT"; "UTC+8" where the zone has no such name.
func Name(t time.Time, zone *time.Location) string {
	name, _ := t.In(zone).Zone()
	if sign := name[:1]; sign != "+" && sign != "-" {
		return name
	}
	hours, minutes := strings.TrimLeft(name[1:3], "0"), name[3:]
	if hours == "" {
		hours = "0"
	}
	if minutes != "" {
		minutes = ":" + minutes
	}
	return "UTC" + name[:1] + hours + minutes
}
