package main

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"

	"forecourt/internal/site/legal"
)

// readFiles reads the values that belong together.
func (c *config) readFiles() error {
	limits, err := readPairs(c.LimitPairs)
	if err != nil {
		return &settingError{"LIMITS", err.Error()}
	}
	if err := readGroup("LIMITS", &c.Limits, limits); err != nil {
		return err
	}
	c.Provider = legal.DefaultProvider()
	for _, file := range []struct {
		name, path string
		group      any
	}{{"PUSH_FILE", c.PushFile, &c.Push}, {"BRAND_FILE", c.BrandFile, &c.Provider}} {
		values, err := readTexts(file.path)
		if err != nil {
			return &settingError{file.name, err.Error()}
		}
		if err := readGroup(file.name, file.group, values); err != nil {
			return err
		}
	}
	return nil
}

// readGroup fills a group with values by their names. Errors name the setting and the value.
func readGroup(setting string, group any, values map[string]string) error {
	names, err := readSettings(group, func(name string) string { return values[name] })
	if wrong := (*settingError)(nil); errors.As(err, &wrong) {
		return &settingError{setting, wrong.name + ": " + wrong.problem}
	}
	if err != nil {
		return err
	}
	for name := range values {
		if !slices.Contains(names, name) {
			return &settingError{setting, "there is no " + name + "; it may have " + strings.Join(names, ", ")}
		}
	}
	return nil
}

// readTexts reads a JSON file with an object of texts. Without a path it returns none. Errors do not show the file, which may hold secrets.
func readTexts(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var texts map[string]string
	if err := json.Unmarshal(content, &texts); err != nil {
		return nil, errors.New(path + " is not a JSON object of texts, such as {\"name\": \"…\"}")
	}
	return texts, nil
}
