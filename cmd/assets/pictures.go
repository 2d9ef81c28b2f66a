package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"forecourt/internal/demo"
)

// heavyPicture is the length in bytes from which the flat drawing replaces the one with gradients.
const heavyPicture = 24 << 10

// pictures writes the pictures of the demo menus to out/pictures/{name}.svg, from the Fluent emoji in the npm packages. The same packages
// always lead to the same bytes.
func pictures(modules, out string) error {
	businesses, err := demo.Businesses()
	if err != nil {
		return err
	}
	gradients, err := readIcons(filepath.Join(modules, "@iconify-json/fluent-emoji/icons.json"))
	if err != nil {
		return err
	}
	flat, err := readIcons(filepath.Join(modules, "@iconify-json/fluent-emoji-flat/icons.json"))
	if err != nil {
		return err
	}
	dir := filepath.Join(out, "pictures")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	for _, b := range businesses {
		for _, c := range b.Categories {
			for _, item := range c.Items {
				svg, err := picture(item.Picture, gradients, flat)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", b.Code, item.Name, err)
				}
				if err := os.WriteFile(filepath.Join(dir, item.Picture+".svg"), []byte(svg), 0o600); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func picture(name string, gradients, flat iconSet) (string, error) {
	svg, ok := gradients.svg(name)
	if len(svg) > heavyPicture {
		if lighter, found := flat.svg(name); found {
			return lighter, nil
		}
	}
	if !ok {
		return "", fmt.Errorf("no picture %q in the set", name)
	}
	return svg, nil
}

// iconSet is an Iconify package; its sizes are the default for icons without their own.
type iconSet struct {
	Width, Height int
	Icons         map[string]struct {
		Body          string
		Width, Height int
	}
}

func readIcons(path string) (iconSet, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return iconSet{}, err
	}
	var set iconSet
	if err := json.Unmarshal(text, &set); err != nil {
		return iconSet{}, fmt.Errorf("read %s: %w", path, err)
	}
	return set, nil
}

// svg returns the picture as a file. Its width and height are twice those of its grid, unless a page sets others.
func (s iconSet) svg(name string) (string, bool) {
	icon, ok := s.Icons[name]
	if !ok {
		return "", false
	}
	width, height := s.Width, s.Height
	if icon.Width > 0 {
		width = icon.Width
	}
	if icon.Height > 0 {
		height = icon.Height
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">%s</svg>`+"\n",
		2*width, 2*height, width, height, roundNumbers(shortenIDs(icon.Body))), true
}

var (
	definedID    = regexp.MustCompile(` id="([^"]+)"`)
	filterResult = regexp.MustCompile(` result="(effect[^"]+)"`)
)

// shortenIDs shortens each id in a picture to a letter and a number, and drops the names of filter steps that nothing refers to.
func shortenIDs(body string) string {
	var pairs []string
	for n, id := range definedID.FindAllStringSubmatch(body, -1) {
		short := "i" + strconv.FormatInt(int64(n), 36)
		pairs = append(pairs, `"`+id[1]+`"`, `"`+short+`"`, "#"+id[1]+")", "#"+short+")", "#"+id[1]+`"`, "#"+short+`"`)
	}
	for _, result := range filterResult.FindAllStringSubmatch(body, -1) {
		if !strings.Contains(body, `in="`+result[1]+`"`) && !strings.Contains(body, `in2="`+result[1]+`"`) {
			pairs = append(pairs, result[0], "")
		}
	}
	return strings.NewReplacer(pairs...).Replace(body)
}

var decimal = regexp.MustCompile(`-?\d*\.\d+`)

// roundNumbers rounds to two decimals, a hundredth of a grid unit. Path data runs numbers together ("1.5.25-3"): if a rounded number starts
// or ends differently, a space separates it from its neighbour.
func roundNumbers(body string) string {
	var b strings.Builder
	end := 0
	for _, at := range decimal.FindAllStringIndex(body, -1) {
		long := body[at[0]:at[1]]
		short := twoDecimals(long)
		b.WriteString(body[end:at[0]])
		if at[0] > 0 && isDigit(body[at[0]-1]) && isDigit(short[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(short)
		if at[1] < len(body) && body[at[1]] == '.' && !strings.Contains(short, ".") {
			b.WriteByte(' ')
		}
		end = at[1]
	}
	b.WriteString(body[end:])
	return b.String()
}

// twoDecimals rounds "-.0049" to "0" and "0.125" to ".13". The pattern matches only what parses.
func twoDecimals(long string) string {
	f, err := strconv.ParseFloat(long, 64)
	if err != nil {
		return long
	}
	short := strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64)
	switch {
	case short == "-0":
		return "0"
	case strings.HasPrefix(short, "0."):
		return short[1:]
	case strings.HasPrefix(short, "-0."):
		return "-" + short[2:]
	}
	return short
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
