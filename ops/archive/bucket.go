package archive

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// tries is how often the client tries a request. PostgreSQL and the Keeper try again anyway.
const tries = 2

// bucket is a store at an S3-compatible service.
type bucket struct {
	*Place
	client *minio.Core
}

// newBucket takes the key from the variables that every client of S3 reads.
func newBucket(p *Place) (*bucket, error) {
	client, err := minio.NewCore(p.host, &minio.Options{
		Creds: credentials.NewEnvAWS(), Region: cmp.Or(os.Getenv("AWS_REGION"), "us-east-1"), Secure: p.secure, MaxRetries: tries,
	})
	return &bucket{p, client}, err
}

func (b *bucket) put(ctx context.Context, name string, body *io.SectionReader) error {
	var o minio.PutObjectOptions
	o.SetMatchETagExcept("*")
	_, err := b.client.Client.PutObject(ctx, b.bucket, b.prefix+name, body, body.Size(), o)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return ErrExists
	}
	return b.say(err)
}

func (b *bucket) get(ctx context.Context, name string) (io.ReadCloser, error) {
	body, _, _, err := b.client.GetObject(ctx, b.bucket, b.prefix+name, minio.GetObjectOptions{})
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, ErrMissing
	}
	return body, b.say(err)
}

func (b *bucket) list(ctx context.Context, folder string) (names []string, err error) {
	folder = b.prefix + folder
	for found := range b.client.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: folder}) {
		if found.Err != nil {
			return nil, b.say(found.Err)
		}
		names = append(names, strings.TrimPrefix(found.Key, folder))
	}
	return names, nil
}

func (b *bucket) remove(ctx context.Context, name string) error {
	return b.say(b.client.RemoveObject(ctx, b.bucket, b.prefix+name, minio.RemoveObjectOptions{}))
}

func (b *bucket) say(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", b.host, line{err})
}
