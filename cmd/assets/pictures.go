package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"forecourt/internal/upkeep/demo"
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
		2*width, 2*height, width, height, icon.Body), true
}
