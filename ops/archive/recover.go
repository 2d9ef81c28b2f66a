package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"filippo.io/age"

	"forecourt/ops/embedded"
)

// ReadIdentity reads the file of a key.
func ReadIdentity(file string) (*age.X25519Identity, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all, err := age.ParseIdentities(bytes.NewReader(text))
	if err == nil && len(all) == 1 {
		if one, ok := all[0].(*age.X25519Identity); ok {
			return one, nil
		}
	}
	return nil, fmt.Errorf("%s holds no key of forecourt archive-key", file)
}

// Recover restores a data folder, with those of the named files that the archive has, to a time, or to the end of the archive if the
// time is zero or later than its end. It returns the name of the base backup that it used, and when the last change was made.
func Recover(
	ctx context.Context, place *Place, identity *age.X25519Identity, system, folder string, files []string, to time.Time,
) (used string, reached time.Time, err error) {
	a, err := Open(place, nil, identity)
	if err != nil {
		return "", reached, err
	}
	base, file, err := a.FetchBase(ctx, system, to)
	if err != nil {
		return "", reached, err
	}
	defer func() { _ = file.Close() }()
	how := embedded.Recovery{To: to}
	how.Command, how.Environment = Fetch(place, identity)
	reached, err = embedded.Recover(ctx, folder, files, file, how)
	if errors.Is(err, embedded.ErrShort) {
		how.To = time.Time{}
		reached, err = embedded.Recover(ctx, folder, files, file, how)
	}
	return base.Name, reached, err
}
