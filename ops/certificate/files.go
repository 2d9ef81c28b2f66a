package certificate

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// filesEvery is how often the files of a certificate are read again.
const filesEvery = 5 * time.Second

// Files is a certificate that an operator, or a program of theirs, keeps in two files. It is read again when they change.
type Files struct {
	certificate, key string
	host             string // the name that the certificate has to be for; empty: any
	log              *slog.Logger

	mu      sync.RWMutex
	current *tls.Certificate
	read    [sha256.Size]byte // digest of the two files that current came from
	refused int               // how often in a row the files were
}

// OpenFiles reads the certificate for host and its key.
func OpenFiles(certificate, key, host string, log *slog.Logger) (*Files, error) {
	f := &Files{certificate: certificate, key: key, host: host, log: log}
	pair, digest, err := f.open()
	if err != nil {
		return nil, err
	}
	f.current, f.read = pair, digest
	return f, nil
}

// open reads both files. It returns their digest even if they are not valid.
func (f *Files) open() (_ *tls.Certificate, digest [sha256.Size]byte, _ error) {
	chain, err := os.ReadFile(f.certificate)
	if err != nil {
		return nil, digest, err
	}
	key, err := os.ReadFile(f.key)
	if err != nil {
		return nil, digest, err
	}
	digest = sha256.Sum256(append(append(chain, 0), key...))
	pair, err := tls.X509KeyPair(chain, key)
	return &pair, digest, err
}

// TLS returns the configuration of the https server.
func (f *Files) TLS() *tls.Config {
	return newTLS(func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		f.mu.RLock()
		defer f.mu.RUnlock()
		return f.current, nil
	})
}

// States returns the state of the certificate.
func (f *Files) States() []State {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return []State{{Name: f.host, Ends: f.current.Leaf.NotAfter, Failing: f.failing()}}
}

// failing reports two failures in a row: one check may fall between the replacements of the two files.
func (f *Files) failing() bool { return f.refused > 1 }

// Watch reads the files again until ctx ends.
func (f *Files) Watch(ctx context.Context) {
	tick := time.NewTicker(filesEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			f.Check(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// Check reads the files once. It logs files that cannot be used once, and goes on serving the old certificate.
func (f *Files) Check(ctx context.Context) {
	pair, digest, err := f.open()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil && digest == f.read {
		f.refused = 0
		return
	}
	if err == nil {
		err = Usable(pair.Leaf, f.host, time.Now())
	}
	if err == nil {
		f.current, f.read, f.refused = pair, digest, 0
		f.log.InfoContext(ctx, "a new certificate is served", "file", f.certificate, "ends", pair.Leaf.NotAfter)
		return
	}
	if f.refused++; f.refused == 2 {
		f.log.ErrorContext(ctx, "the new certificate cannot be used, the old one is still served",
			"file", f.certificate, "error", err, "ends", f.current.Leaf.NotAfter)
	}
}
