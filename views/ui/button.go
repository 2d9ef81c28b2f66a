package ui

// Kind is what a button, or a link that looks like one, is for.
type Kind string

// A view has one primary button and at most two secondary ones.
const (
	Primary   Kind = "primary"
	Secondary Kind = "secondary" // outlined
	Quiet     Kind = "quiet"     // text alone, for everything else
	Danger    Kind = "danger"    // what cannot be undone, on the page that asks
)

// A button is 48 pixels high and as wide as its words, unless it is also one of these.
const (
	Small Kind = "small" // 36 pixels high
	Wide  Kind = "wide"  // as wide as its column
)

// Button returns the classes of a button.
func Button(kind Kind, sizes ...Kind) string {
	classes := "button " + string(kind)
	for _, s := range sizes {
		classes += " " + string(s)
	}
	return classes
}

// Tone is how a notice or a pill is meant.
type Tone string

// These are the tones.
const (
	Info    Tone = "info"
	Good    Tone = "good"    // it worked
	Warning Tone = "warning" // it did not, and nothing is lost
	Bad     Tone = "danger"
)

func (t Tone) icon() string {
	return map[Tone]string{Info: "info", Good: "check", Warning: "triangle-alert", Bad: "circle-alert"}[t]
}

// stateTone is that of a state with an icon: a tick is good news, a cross is bad.
func stateTone(icon string) string {
	return map[string]string{"check": string(Good), "x": string(Bad)}[icon]
}

// role makes screen readers announce trouble at once, and the rest when they come to a pause.
func (t Tone) role() string {
	if t == Warning || t == Bad {
		return "alert"
	}
	return "status"
}

// Column is the head of a column of a Table.
type Column struct {
	Name  string
	Money bool // amounts, aligned at the end
	Mute  bool // what can be done with each, which needs no words but for screen readers
}
