package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/alecthomas/kong"

	"forecourt/internal/archive"
	"forecourt/internal/mail"
	"forecourt/internal/mailaddr"
	"forecourt/internal/secret"
)

// settingError names the environment variable whose value is wrong.
type settingError struct{ name, problem string }

func (e *settingError) Error() string { return e.name + ": " + e.problem }

// kinds returns the types of settings. Each reads the text of a value or says what is wrong with it. It quotes the text only if that cannot
// hold a secret.
func kinds() []kong.Option {
	options := []kong.Option{
		kong.KindMapper(reflect.Int, kind(readNumber)),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kind(readDuration)),
		kong.TypeMapper(reflect.TypeFor[secret.Text](), kind(simple(readSecretText))),
		kong.TypeMapper(reflect.TypeFor[slog.Level](), kind(simple(readLevel))),
	}
	for name, mapper := range map[string]kong.Mapper{
		"listen": kind(simple(readListen)), "listens": kind(simple(readListens)), "site": kind(simple(readSite)),
		"sites": kind(simple(readSites)), "web": kind(simple(readWeb)), "socket": kind(simple(readSocket)),
		"collector": kind(simple(readCollector)), "headers": kind(simple(readHeaders)), "networks": kind(simple(readNetworks)),
		"origins": kind(simple(readOrigins)), "hosts": kind(simple(readHosts)),
		"domains": kind(simple(readDomains)), "hostports": kind(simple(readHostPorts)),
		"postgres": kind(simple(readPostgres)), "secret": kind(simple(readSecret)), "onoff": kind(simple(readOnOff)),
		"archive": kind(simple(archive.ParsePlace)), "recipient": kind(simple(readRecipient)),
		"descriptors": kind(simple(readDescriptors)), "domainfile": kind(simple(readDomainFile)),
		"mailserver": kind(simple(mail.ParseServer)), "mailbox": kind(simple(readMailbox)),
		"line": kind(simple(readLine)), "phone": kind(simple(readPhone)), "year": kind(simple(readYear)),
		"mailaddress": kind(simple(readMailAddress)), "document": kind(simple(readDocument)), "logo": kind(simple(readLogo)),
	} {
		options = append(options, kong.NamedMapper(name, mapper))
	}
	return options
}

// kind turns a reader into a type that a setting may have.
func kind[T any](read func(string, *kong.Tag) (T, error)) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		value, err := read(ctx.Scan.Pop().String(), ctx.Value.Tag)
		if err != nil {
			return &settingError{ctx.Value.Name, err.Error()}
		}
		target.Set(reflect.ValueOf(value))
		return nil
	})
}

// simple turns a function of the text alone into a reader.
func simple[T any](read func(string) (T, error)) func(string, *kong.Tag) (T, error) {
	return func(text string, _ *kong.Tag) (T, error) { return read(text) }
}

// maxNumber is far above any sensible limit.
const maxNumber = 1_000_000

func readNumber(text string, tag *kong.Tag) (int, error) {
	least, err := strconv.Atoi(or(tag.Get("min"), "1"))
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

func readSecretText(text string) (secret.Text, error) { return secret.New(text), nil }

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
	mailbox, err := mailaddr.Mailbox(text)
	if err != nil {
		return "", fmt.Errorf("%q is not an address", text)
	}
	return mailbox, nil
}

func readDescriptors(text string) (map[string]string, error) {
	descriptors := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if pair == "" {
			continue
		}
		client, name, ok := strings.Cut(pair, "=")
		if !ok || client == "" || name == "" {
			return nil, fmt.Errorf("%q is not client=TEXT", pair)
		}
		descriptors[strings.TrimSpace(client)] = strings.TrimSpace(name)
	}
	return descriptors, nil
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

func or(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}
