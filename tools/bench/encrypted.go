package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// anyCertificate accepts every certificate, because its clients only talk to this machine.
var anyCertificate = &tls.Config{InsecureSkipVerify: true} //nolint:gosec // see above

// makeCertificate writes a key and a self-signed certificate for this machine, and returns the settings that name the files.
func makeCertificate(folder string) ([]string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	var settings []string
	for _, file := range []struct {
		setting, kind string
		der           []byte
	}{{"TLS_CERT", "CERTIFICATE", certificate}, {"TLS_KEY", "PRIVATE KEY", private}} {
		path := filepath.Join(folder, file.setting+".pem")
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: file.kind, Bytes: file.der}), 0o600); err != nil {
			return nil, err
		}
		settings = append(settings, file.setting+"="+path)
	}
	return settings, nil
}

// followEncrypted opens count pages over one HTTP/2 connection, one after another, each until it shows its order. It reads no later events.
func followEncrypted(ctx context.Context, host, path string, count int) (*page, error) {
	config := anyCertificate.Clone()
	config.NextProtos = []string{http2.NextProtoTLS}
	conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	p := &page{conn: conn}
	if err := conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		return p, err
	}
	if _, err := conn.Write([]byte(http2.ClientPreface)); err != nil {
		return p, err
	}
	frames := http2.NewFramer(conn, conn)
	frames.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	const plenty = 1 << 30 // octets that the server may send before this side has to allow more
	err = errors.Join(frames.WriteSettings(), frames.WriteWindowUpdate(0, plenty))
	var header bytes.Buffer
	encoder := hpack.NewEncoder(&header)
	for stream := uint32(1); err == nil && stream < uint32(2*count); stream += 2 { //nolint:gosec // count is small
		header.Reset()
		for _, field := range append([][2]string{{":method", "GET"}, {":scheme", "https"}, {":authority", host}, {":path", path}}, browserHeader...) {
			_ = encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}) // to memory
		}
		err = errors.Join(
			frames.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: header.Bytes(), EndStream: true, EndHeaders: true}),
			untilShown(frames, stream),
		)
	}
	return p, err
}

// untilShown waits until a stream shows its order.
func untilShown(frames *http2.Framer, stream uint32) error {
	for {
		frame, err := frames.ReadFrame()
		if err != nil {
			return err
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				err = frames.WriteSettingsAck()
			}
		case *http2.MetaHeadersFrame:
			if status := f.PseudoValue("status"); status != "200" {
				err = fmt.Errorf("a page that is followed answers %s", status)
			}
		case *http2.DataFrame:
			if f.StreamID == stream && bytes.HasPrefix(f.Data(), []byte("data: ")) {
				return nil
			}
		case *http2.RSTStreamFrame, *http2.GoAwayFrame:
			err = fmt.Errorf("a page that is followed ends with %v", f)
		}
		if err != nil {
			return err
		}
	}
}
