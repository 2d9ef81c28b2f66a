package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

func TestWalletSettings(t *testing.T) {
	t.Parallel()
	c, err := readConfig(from(nil))
	if err != nil || c.Wallets.GoogleScript != "https://pay.google.com/gp/p/js/pay.js" ||
		c.AppleDomainFile != nil || c.Apple.Certificate != nil {
		t.Errorf("unset: %+v, %+v, %v", c.Apple, c.Wallets, err)
	}
	file := filepath.Join(t.TempDir(), "domain")
	check.Must(t, os.WriteFile(file, []byte("from Apple"), 0o600))
	c, err = readConfig(from(map[string]string{
		"APPLEPAY_URL": "https://wallets.example", "APPLEPAY_MERCHANT_ID": "merchant.example", "APPLEPAY_DOMAIN_FILE": file,
		"GOOGLEPAY_MERCHANT_ID": "BCR2", "GOOGLEPAY_GATEWAY": "ours", "GOOGLEPAY_SCRIPT_URL": "https://scripts.example:8443/pay.js",
	}))
	check.Must(t, err)
	if c.Apple.URL != "https://wallets.example" ||
		c.Apple.MerchantID != "merchant.example" || string(c.AppleDomainFile) != "from Apple" {
		t.Errorf("%+v", c.Apple)
	}
	if g := c.Wallets; g.GoogleMerchantID != "BCR2" || g.GoogleGateway != "ours" || g.GoogleScript != "https://scripts.example:8443/pay.js" {
		t.Errorf("%+v", g)
	}
}

func TestAWrongWalletSettingIsNamed(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty")
	check.Must(t, os.WriteFile(empty, nil, 0o600))
	for _, tt := range []struct {
		name string
		set  map[string]string
	}{
		{"APPLEPAY_URL", map[string]string{"APPLEPAY_URL": "wallets.example"}},
		{"APPLEPAY_CERT", map[string]string{"APPLEPAY_CERT": empty}},
		{"APPLEPAY_CERT", map[string]string{"APPLEPAY_KEY": empty}},
		{"APPLEPAY_CERT", map[string]string{"APPLEPAY_CERT": empty, "APPLEPAY_KEY": empty, "APPLEPAY_MERCHANT_ID": "m"}},
		{"APPLEPAY_MERCHANT_ID", map[string]string{"APPLEPAY_CERT": empty, "APPLEPAY_KEY": empty}},
		{"APPLEPAY_DOMAIN_FILE", map[string]string{"APPLEPAY_DOMAIN_FILE": empty}},
		{"APPLEPAY_DOMAIN_FILE", map[string]string{"APPLEPAY_DOMAIN_FILE": empty + "/nothing"}},
		{"GOOGLEPAY_SCRIPT_URL", map[string]string{"GOOGLEPAY_SCRIPT_URL": "javascript:alert(1)"}},
		{"GOOGLEPAY_SCRIPT_URL", map[string]string{"GOOGLEPAY_SCRIPT_URL": "//pay.google.com/x.js"}},
	} {
		_, err := readConfig(from(tt.set))
		var wrong *settingError
		if !errors.As(err, &wrong) || wrong.name != tt.name || !strings.Contains(err.Error(), tt.name) {
			t.Errorf("%v: %v, want %s named", tt.set, err, tt.name)
		}
	}
}
