package main

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
)

// formerSettings says what takes the place of settings that the program no longer reads. AWS_CA_BUNDLE and
// OTEL_EXPORTER_OTLP_PROTOCOL are not among them: a machine may set those for other programs.
var formerSettings = []struct{ instead, names string }{
	{"LIMITS, such as LIMITS=card=3,orders=120, has it now", "LIMIT_TRANSACTION LIMIT_CARD LIMIT_ADDRESS " +
		"LIMIT_MERCHANT LIMIT_ORDERS LIMIT_TOKEN LIMIT_BEARER LIMIT_SIGNIN_ACCOUNT LIMIT_SIGNIN_ADDRESS " +
		"LIMIT_SIGNIN_OVERALL LIMIT_STREAMS LIMIT_PUSH LIMIT_WALLET"},
	{"PUSH_FILE names a JSON file that has it now", "PUSH_PROJECT_ID PUSH_API_KEY PUSH_APP_ID PUSH_SENDER_ID PUSH_VAPID_PUBLIC " +
		"PUSH_VAPID_PRIVATE PUSH_SYNC_URL"},
	{"BRAND_FILE names a JSON file that has it now", "BRAND_NAME BRAND_LOGO BRAND_AU_ADDRESS BRAND_AU_PHONE BRAND_AU_TOLL_FREE " +
		"BRAND_UK_ADDRESS BRAND_UK_PHONE BRAND_UK_FAX BRAND_LICENCE BRAND_YEAR BRAND_PRIVACY_URL " +
		"BRAND_TERMS_URL BRAND_GUIDE_URL BRAND_SUPPORT_MAIL"},
	{"FORECOURT_ADDR takes it as a second address, after a space", "FORECOURT_HTTP_ADDR"},
	{"FORECOURT_URL takes them after the first address, separated by spaces", "FORECOURT_OTHER_URLS"},
	{"it is no longer used, because authorities no longer write letters: unset it", "ACME_EMAIL"},
	{"ARCHIVE_TO and ARCHIVE_RECIPIENT replace it, and only the program that made the archive restores it",
		"FORECOURT_ARCHIVE FORECOURT_ARCHIVE_KEY"},
	{"it is no longer used, because the archive gets a copy each day and old ones are deleted: unset it",
		"FORECOURT_ARCHIVE_EVERY FORECOURT_ARCHIVE_COPIES"},
	{"SSL_CERT_FILE names the root certificates of a private authority", "ACME_CA_FILE"},
	{"it is no longer used, because menus are read from DATABASE_URL: unset it", "DATABASE_REPLICA_URL"},
	{"forecourt secret rotate --from FILE takes the earlier secret", "FORECOURT_SECRET_PREVIOUS"},
	{"it is no longer used, because the log and the audit list erasures, to repeat after a restore: unset it", "FORECOURT_ERASED"},
}

// refuseFormer refuses settings of an earlier version, which would otherwise be ignored without a word.
func refuseFormer(getenv func(string) string) error {
	for _, former := range formerSettings {
		for name := range strings.FieldsSeq(former.names) {
			if getenv(name) != "" {
				return &settingError{name, former.instead + "; see docs/settings.md"}
			}
		}
	}
	return nil
}

// readFiles reads the values that belong together.
func (c *config) readFiles() error {
	limits, err := readPairs(c.Limits)
	if err != nil {
		return &settingError{"LIMITS", err.Error()}
	}
	if err := readGroup("LIMITS", &c.limits, limits); err != nil {
		return err
	}
	for _, file := range []struct {
		name, path string
		group      any
	}{{"PUSH_FILE", c.PushFile, &c.pushSettings}, {"BRAND_FILE", c.BrandFile, &c.brandSettings}} {
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

// readPairs reads name=value,….
func readPairs(text string) (map[string]string, error) {
	pairs := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if _, twice := pairs[name]; !found || name == "" || value == "" || twice {
			return nil, errors.New("it has to be name=number,… with each name once")
		}
		pairs[name] = value
	}
	return pairs, nil
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
