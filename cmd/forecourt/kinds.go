package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/alecthomas/kong"

	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/mail"
	"forecourt/ops/archive"
)

// settingError names the environment variable whose value is wrong.
type settingError struct{ name, problem string }

func (e *settingError) Error() string { return e.name + ": " + e.problem }

// kinds returns the types of settings. Each reads the text of a value or says what is wrong with it. It quotes the text only if that cannot
// hold a secret.
func kinds() []kong.Option {
	options := []kong.Option{
		kong.KindMapper(reflect.Int, tagged(readNumber)),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), tagged(readDuration)),
		kong.TypeMapper(reflect.TypeFor[secret.Text](), kind(func(text string) (secret.Text, error) { return secret.New(text), nil })),
		kong.TypeMapper(reflect.TypeFor[slog.Level](), kind(readLevel)),
	}
	for name, mapper := range map[string]kong.Mapper{
		"listen": kind(readListen), "listens": list(readListen), "site": kind(readSite), "sites": list(readSite),
		"web": kind(readWeb), "socket": kind(readSocket), "collector": kind(readCollector), "headers": kind(readHeaders),
		"networks": list(readNetwork), "origins": list(readOrigin), "hosts": list(readHost), "domains": list(readDomain),
		"hostports": list(readHostPort), "postgres": kind(readPostgres), "secret": kind(readSecret), "onoff": kind(readOnOff),
		"archive": kind(archive.ParsePlace), "recipient": kind(readRecipient), "pairs": kind(readPairs), "domainfile": kind(readDomainFile),
		"mailserver": kind(mail.ParseServer), "mailbox": kind(readMailbox), "mailaddress": kind(readMailAddress),
		"line": kind(readLine), "document": kind(readDocument), "logo": kind(readLogo),
	} {
		options = append(options, kong.NamedMapper(name, mapper))
	}
	return options
}

// tagged turns a reader of a text into a type that a setting may have, with bounds in its tag.
func tagged[T any](read func(string, *kong.Tag) (T, error)) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		value, err := read(ctx.Scan.Pop().String(), ctx.Value.Tag)
		if err != nil {
			return &settingError{ctx.Value.Name, err.Error()}
		}
		target.Set(reflect.ValueOf(value))
		return nil
	})
}

// kind is tagged for a type without bounds.
func kind[T any](read func(string) (T, error)) kong.Mapper {
	return tagged(func(text string, _ *kong.Tag) (T, error) { return read(text) })
}

// list is kind for several values, between which are spaces or commas.
func list[T any](read func(string) (T, error)) kong.Mapper {
	return kind(func(text string) (all []T, _ error) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
			one, err := read(word)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		if len(all) == 0 {
			return nil, errors.New("it has no value")
		}
		return all, nil
	})
}

// maxNumber is far above any sensible limit.
const maxNumber = 1_000_000

func readNumber(text string, tag *kong.Tag) (int, error) {
	least, err := strconv.Atoi(cmp.Or(tag.Get("min"), "1"))
	if err != nil {
		return 0, err
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < least || value > maxNumber {
		return 0, fmt.Errorf("it has to be a number from %d", least)
	}
	return value, nil
}

func readDuration(text string, tag *kong.Tag) (time.Duration, error) {
	least, leastErr := time.ParseDuration(tag.Get("min"))
	most, mostErr := time.ParseDuration(tag.Get("max"))
	if err := errors.Join(leastErr, mostErr); err != nil {
		return 0, err
	}
	value, err := time.ParseDuration(text)
	if err != nil || value < least || value > most {
		return 0, fmt.Errorf("it has to be a duration from %s to %s, such as 5s", tag.Get("min"), tag.Get("max"))
	}
	return value, nil
}

func readRecipient(text string) (*age.X25519Recipient, error) {
	recipient, err := age.ParseX25519Recipient(text)
	if err != nil {
		return nil, errors.New("it has to be an age1… key, as forecourt archive-key FILE prints")
	}
	return recipient, nil
}

func readSecret(text string) (string, error) {
	if len(text) < 32 {
		return "", errors.New("it needs 32 bytes or more")
	}
	return text, nil
}

func readLevel(text string) (level slog.Level, _ error) {
	if err := level.UnmarshalText([]byte(text)); err != nil {
		return level, errors.New("it has to be debug, info, warn or error")
	}
	return level, nil
}

func readOnOff(text string) (*bool, error) {
	on := true
	switch strings.ToLower(text) {
	case "on", "1", "true", "yes":
	case "off", "0", "false", "no":
		on = false
	default:
		return nil, fmt.Errorf("%q is neither on nor off", text)
	}
	return &on, nil
}

func readMailbox(text string) (string, error) {
	mailbox, err := typed.Mailbox(text)
	if err != nil {
		return "", fmt.Errorf("%q is not an address", text)
	}
	return mailbox, nil
}

func readMailAddress(text string) (string, error) {
	if !typed.IsEmail(text) {
		return "", fmt.Errorf("%q is not a mail address", text)
	}
	return text, nil
}

// readPairs reads name=value,…. Its error does not quote the text, which may hold a key.
func readPairs(text string) (map[string]string, error) {
	pairs := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if _, twice := pairs[name]; !found || name == "" || value == "" || twice {
			return nil, errors.New("it has to be name=value,… with each name once")
		}
		pairs[name] = value
	}
	return pairs, nil
}

// maxDomainFile is far above the size of the files that Apple gives out.
const maxDomainFile = 64 << 10

func readDomainFile(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(string(content)) == "" || len(content) > maxDomainFile {
		return nil, fmt.Errorf("%s is not the file that Apple gave", path)
	}
	return content, nil
}

const (
	// maxBrandText is the length in characters of the longest name, address or number that the pages have room for.
	maxBrandText = 200
	// maxBrandLogo is the length of the longest logo inside a data: address, which every page carries.
	maxBrandLogo = 8 << 10
)

var pathPattern = regexp.MustCompile(`^/[\w.~%!$&'()*+,;=:@-][\w.~%!$&'()*+,;=:@/?-]*$`)

func readLine(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !printable.Line(text, maxBrandText) {
		return "", fmt.Errorf("it has to be one line of at most %d characters", maxBrandText)
	}
	return text, nil
}

func readDocument(text string) (string, error) {
	if _, err := webAddress(text); err != nil && !pathPattern.MatchString(text) {
		return "", fmt.Errorf("%q is neither a path of this site nor http(s)://HOST/…", text)
	}
	return text, nil
}

// readLogo reads the address of a logo. Pages may show only pictures of this site and those inside a data: address.
func readLogo(text string) (string, error) {
	inside := strings.HasPrefix(text, "data:image/") && len(text) <= maxBrandLogo && !strings.ContainsAny(text, " \t\r\n")
	if !inside && !pathPattern.MatchString(text) {
		return "", errors.New("it is neither a path of this site nor a data:image/… of at most 8 KB")
	}
	return text, nil
}
