package apptest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/push"
)

// PushService is a push service with one browser: it accepts messages as real services do, and decrypts them with the browser's keys.
type PushService struct {
	*httptest.Server

	Status atomic.Int64 // of its answers; 201 if zero
	Calls  chan PushCall

	private *ecdh.PrivateKey
	auth    [16]byte
}

// PushCall is one message that arrived.
type PushCall struct {
	TTL, Urgency string
	Message      PushMessage
	Err          error // what is wrong with the message
}

// PushMessage is what the browser reads in a message.
type PushMessage struct {
	Data         struct{ Loc, URL string }
	Notification struct{ Title, Body string }
}

// NewPushService starts a push service that ends with the test.
func NewPushService(t testing.TB) *PushService {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	check.Must(t, err)
	s := &PushService{private: private, Calls: make(chan PushCall, 16)}
	_, _ = rand.Read(s.auth[:])
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Host returns the host for OUTBOUND_ALLOW.
func (s *PushService) Host() string { return s.Listener.Addr().String() }

// Subscription returns the subscription that the browser registers.
func (s *PushService) Subscription() map[string]string {
	encode := base64.RawURLEncoding.EncodeToString
	return map[string]string{"endpoint": s.URL + "/send/1", "auth": encode(s.auth[:]), "p256dh": encode(s.private.PublicKey().Bytes())}
}

func (s *PushService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := PushCall{TTL: r.Header.Get("TTL"), Urgency: r.Header.Get("Urgency")}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = checkSender(r.Header.Get("Authorization"), s.URL)
	}
	var text []byte
	if err == nil {
		text, err = s.open(body)
	}
	if err == nil {
		err = json.Unmarshal(text, &c.Message)
	}
	c.Err = err
	status := int(s.Status.Load())
	if status == 0 {
		status = http.StatusCreated
	}
	w.WriteHeader(status)
	s.Calls <- c
}

// Next returns the next message that arrives.
func (s *PushService) Next(t testing.TB) PushCall {
	t.Helper()
	select {
	case c := <-s.Calls:
		if c.Err != nil {
			t.Errorf("a message that every browser refuses: %v", c.Err)
		}
		return c
	case <-time.After(20 * time.Second):
		t.Fatal("no message arrived")
		return PushCall{}
	}
}

// open decrypts a body of the encoding aes128gcm (RFC 8188) with the browser's keys (RFC 8291).
func (s *PushService) open(body []byte) ([]byte, error) {
	if len(body) < 86 || body[20] != 65 {
		return nil, errors.New("the aes128gcm header is missing")
	}
	salt, size, sender, sealed := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:86], body[86:]
	if int(size) < len(sealed) || len(body) > 4096 {
		return nil, errors.New("more than one record")
	}
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := s.private.ECDH(public)
	if err != nil {
		return nil, err
	}
	material, err := hkdf.Key(sha256.New, shared, s.auth[:], "WebPush: info\x00"+string(s.private.PublicKey().Bytes())+string(sender), 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, nonce, sealed, nil)
	if err != nil {
		return nil, err
	}
	text := strings.TrimRight(string(plain), "\x00")
	if !strings.HasSuffix(text, "\x02") {
		return nil, errors.New("not the last record")
	}
	return []byte(strings.TrimSuffix(text, "\x02")), nil
}

// checkSender checks the VAPID header (RFC 8292): the signature must be made with the key it names, for this service.
func checkSender(header, audience string) error {
	token, key, _ := strings.Cut(strings.TrimPrefix(header, "vapid t="), ", k=")
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil {
		return err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return err
	}
	_, err = jwt.Parse(token, func(*jwt.Token) (any, error) { return public, nil }, jwt.WithValidMethods([]string{"ES256"}),
		jwt.WithExpirationRequired(), jwt.WithAudience(audience), jwt.WithSubject("mailto:support@forecourt.test"))
	return err
}

// PushProject returns a complete configuration for browsers whose push service is at allow.
func PushProject(allow ...string) push.Config {
	return push.Config{Project: push.Project{ID: "shop", AppID: "app", SenderID: "sender", APIKey: secret.New("api-key")}, Allow: allow}
}
