// Package clock words times for people: by the clock of a business, and naming the zone.
package clock

import (
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // a machine that lacks the list of time zones must not print another hour
)

// Home is the zone of somebody who has no business yet. A new business starts with it.
const Home = "Australia/Sydney"

// zones holds the zones that have been loaded, by name. There are about 600.
var zones sync.Map

// Zone returns the time zone with an IANA name, or UTC if there is none. It returns the same pointer each time, so that values that contain
// a zone can be compared.
func Zone(name string) *time.Location {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location)
	}
	if name == "" || name == "Local" {
		return time.UTC
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	kept, _ := zones.LoadOrStore(name, zone)
	return kept.(*time.Location)
}

// Text returns a moment by the clock of a zone: "22 November 2026, 3:12 pm AEDT".
func Text(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2 January 2006, 3:04\u00a0pm\u00a0") + Name(t, zone)
}

// Exact is Text with seconds.
func Exact(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2 January 2006, 3:04:05\u00a0pm\u00a0") + Name(t, zone)
}

// End is Text for the end of a time: midnight is the end of the day before, "the end of 22 November 2026 (AEDT)".
func End(t time.Time, zone *time.Location) string {
	if t = t.In(zone); t.Hour() != 0 || t.Minute() != 0 || t.Second() != 0 {
		return Text(t, zone)
	}
	last := t.Add(-time.Minute)
	return "the end of " + Day(last, zone) + "\u00a0(" + Name(last, zone) + ")"
}

// EndOf returns the moment at which a calendar day ends in a zone. The day's own zone and hour do not count.
func EndOf(day time.Time, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, zone)
}

// Local moves moments to a zone, and leaves out those that are nil.
func Local(zone *time.Location, moments ...*time.Time) {
	for _, at := range moments {
		if at != nil {
			*at = at.In(zone)
		}
	}
}

// OfDay returns the time of day of a moment, by the clock of its own zone: "11:30 am".
func OfDay(t time.Time) string { return t.Format("3:04 pm") }

// Day returns the date of a moment in a zone: "22 November 2026".
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
