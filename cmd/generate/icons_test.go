package main

import "testing"

func TestPathOf(t *testing.T) {
	t.Parallel()
	path := func(d string) shape { return shape{"path", map[string]string{"d": d}} }
	for _, tt := range []struct {
		name, want string
		shapes     []shape
	}{
		{"paths", "M1 2h3M4 5v6", []shape{path("M1 2h3"), path("M4 5v6")}},
		{"a relative start", "M5 12h14M12 5l7 7-7 7", []shape{path("M5 12h14"), path("m12 5 7 7-7 7")}},
		{"a relative start and a command", "M1.5 .5c1 2 3 4 5 6", []shape{path("m1.5.5c1 2 3 4 5 6")}},
		{"a line", "M12 8L12 12", []shape{{"line", map[string]string{"x1": "12", "y1": "8", "x2": "12", "y2": "12"}}}},
		{"a circle", "M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0", []shape{{"circle", map[string]string{"cx": "12", "cy": "12", "r": "10"}}}},
		{
			"a rectangle with round corners", "M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2z",
			[]shape{{"rect", map[string]string{"width": "18", "height": "11", "x": "3", "y": "11", "rx": "2", "ry": "2"}}},
		},
		{"what is not in the package", "", nil},
		{"another shape", "", []shape{{"polygon", nil}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := pathOf(tt.shapes)
			if got != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}
