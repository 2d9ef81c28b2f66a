package main

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"forecourt/app"
	"forecourt/handlers/api"
	"forecourt/internal/kit/check"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/people/invite"
	"forecourt/internal/shop/order"
	"forecourt/internal/site/legal"
)

func from(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestWithoutSettingsEverythingIsBuiltIn(t *testing.T) {
	t.Parallel()
	c, err := readConfig(from(nil))
	check.Must(t, err)
	if c.Addr != "127.0.0.1:8080" || c.URL != nil || c.DatabaseURL != "" || !c.demo ||
		c.GatewayURL != "" || c.GatewayTimeout != 10*time.Second || c.GatewayKey.Reveal() == "" {
		t.Errorf("%+v", c)
	}
	if c.BridgeURL.String() != "http://localhost:3015" || c.CRMSocketURL.String() != "wss://localhost:3017/" {
		t.Errorf("BRIDGE-16 ROUTE-05 local services at %s and %s", c.BridgeURL, c.CRMSocketURL)
	}
	check.Equal(t, c.Descriptor("panezski"), "LAT*panezski", "descriptor")
	if c.Wallets.GoogleScript != "https://pay.google.com/gp/p/js/pay.js" || c.AppleDomainFile != nil || c.Apple.Certificate != nil {
		t.Errorf("wallets: %+v, %+v", c.Apple, c.Wallets)
	}
	if want := (app.Limits{
		Payment: payment.DefaultLimits, UnpaidOrders: order.MostUnpaid, Invite: invite.DefaultLimits, Account: account.DefaultLimits,
		Streams: 40, Push: 120, WalletSessions: api.MostWalletSessions,
	}); c.Limits != want || c.GatewayTimeout != gateway.DefaultTimeout {
		t.Errorf("limits: %+v, %s; want %+v", c.Limits, c.GatewayTimeout, want)
	}
}

func TestSettingsAreRead(t *testing.T) {
	t.Parallel()
	c, err := readConfig(from(map[string]string{
		"FORECOURT_ADDR": "0.0.0.0:0", "FORECOURT_URL": "https://pay.example/", "DATABASE_URL": "postgres://u:p@db/x", "FORECOURT_DATA": "/data",
		"FORECOURT_SECRET": strings.Repeat("s", 32), "GATEWAY_URL": "https://gateway.example:8443",
		"GATEWAY_KEY": "k", "GATEWAY_TIMEOUT": "1500ms",
		"REDIRECT_HOSTS": "bank.example, acs.example:444", "DESCRIPTORS": "panezski=PANEZSKI BAKERY, moollar = MOOLLAR",
	}))
	check.Must(t, err)
	if c.demo {
		t.Error("demo data in an external database without being asked for")
	}
	if c.URL.Host != "pay.example" || c.GatewayTimeout != 1500*time.Millisecond ||
		strings.Join(c.RedirectHosts, "|") != "bank.example|acs.example:444" || c.Data != "/data" || c.GatewayKey.Reveal() != "k" {
		t.Errorf("%+v", c)
	}
	if c.Descriptor("panezski") != "PANEZSKI BAKERY" || c.Descriptor("moollar") != "MOOLLAR" || c.Descriptor("sabona") != "LAT*sabona" {
		t.Errorf("descriptors %v", c.Descriptors)
	}
	for value, want := range map[string]bool{
		"on": true, "1": true, "TRUE": true, "yes": true, "off": false, "0": false, "False": false, "no": false,
	} {
		if c, err := readConfig(from(map[string]string{"FORECOURT_DEMO": value})); err != nil || c.demo != want {
			t.Errorf("FORECOURT_DEMO=%s is %v, %v", value, c.demo, err)
		}
	}
}

func TestGatewaysHaveNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ url, id, previousURL, previousID, want, wantPrevious string }{
		{"", "", "", "", "sandbox", ""},
		{"HTTPS://Gateway.Example:443/v1/", "", "", "", "https://gateway.example/v1", ""},
		{"http://localhost:8080", "", "http://localhost:80", "", "http://localhost:8080", "http://localhost"},
		{"https://new.example", "acme", "https://old.example", "old", "acme", "old"},
	} {
		values := map[string]string{
			"GATEWAY_KEY": "k", "GATEWAY_URL": tt.url, "GATEWAY_ID": tt.id,
			"GATEWAY_PREVIOUS_URL": tt.previousURL, "GATEWAY_PREVIOUS_ID": tt.previousID,
		}
		if tt.previousURL != "" {
			values["GATEWAY_PREVIOUS_KEY"] = "k"
		}
		c, err := readConfig(from(values))
		if err != nil || c.GatewayID != tt.want || c.PreviousID != tt.wantPrevious {
			t.Errorf("%+v: %q and %q, %v", tt, c.GatewayID, c.PreviousID, err)
		}
	}
}

func TestWalletSettings(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "domain")
	check.Must(t, os.WriteFile(file, []byte("from Apple"), 0o600))
	c, err := readConfig(from(map[string]string{
		"APPLEPAY_URL": "https://wallets.example", "APPLEPAY_MERCHANT_ID": "merchant.example", "APPLEPAY_DOMAIN_FILE": file,
		"GOOGLEPAY_MERCHANT_ID": "BCR2", "GOOGLEPAY_GATEWAY": "ours", "GOOGLEPAY_SCRIPT_URL": "https://scripts.example:8443/pay.js",
	}))
	check.Must(t, err)
	if c.Apple.URL != "https://wallets.example" || c.Apple.MerchantID != "merchant.example" || string(c.AppleDomainFile) != "from Apple" {
		t.Errorf("%+v", c.Apple)
	}
	if g := c.Wallets; g.GoogleMerchantID != "BCR2" || g.GoogleGateway != "ours" || g.GoogleScript != "https://scripts.example:8443/pay.js" {
		t.Errorf("%+v", g)
	}
}

func TestTheBrandIsRead(t *testing.T) {
	t.Parallel()
	neutral, err := readConfig(from(nil))
	t.Run("without settings the year is 2025 (CHROME-08)", func(t *testing.T) {
		if err != nil || neutral.Provider != legal.DefaultProvider() || neutral.Provider.Year != "2025" {
			t.Errorf("unset: %+v, %v", neutral.Provider, err)
		}
	})
	year := jsonFile(t, `{"year": "2024"}`)
	for _, mode := range []string{"on", "off"} {
		for want, file := range map[string]string{"2025": "", "2024": year} {
			c, err := readConfig(from(map[string]string{"FORECOURT_DEMO": mode, "BRAND_FILE": file}))
			check.Must(t, err)
			check.Equal(t, c.Provider.Year, want, "CHROME-08 with demo mode %s, the year", mode)
		}
	}
	want := legal.Provider{
		Name: "Südpay", Logo: "/brand/logo.svg", Licence: "424242", ABN: "80 000 000 001", Year: "2026",
		Australia:     legal.Office{Address: "1 First St", Phone: "+61 2 5550 0001", TollFree: "1800 975 711"},
		UnitedKingdom: legal.Office{Address: "2 Second St", Phone: "+44 (0)20 7946 0001", Fax: "+44 20 7946 0002"},
		PrivacyURL:    "https://x.example/privacy", TermsURL: "/legal/terms",
		GuideURL: "https://x.example/fsg.pdf", SupportMail: "help@x.example",
	}
	c, err := readConfig(from(map[string]string{"BRAND_FILE": jsonFile(t, `{
		"name": " Südpay ", "logo": "/brand/logo.svg", "licence": "424242", "abn": "80 000 000 001", "year": "2026",
		"au_address": "1 First St", "au_phone": "+61 2 5550 0001", "au_toll_free": "1800 975 711",
		"uk_address": "2 Second St", "uk_phone": "+44 (0)20 7946 0001", "uk_fax": "+44 20 7946 0002",
		"privacy_url": "https://x.example/privacy", "terms_url": "/legal/terms", "guide_url": "https://x.example/fsg.pdf",
		"support_mail": "help@x.example"
	}`)}))
	t.Run("the offices and the licence are those of the settings (CHROME-02 CHROME-03 CHROME-07)", func(t *testing.T) {
		if err != nil || c.Provider != want {
			t.Errorf("%+v, %v", c.Provider, err)
		}
	})
	t.Run("a logo may be inside its address (CHROME-01)", func(t *testing.T) {
		inside := jsonFile(t, `{"logo": "data:image/svg+xml;base64,PHN2Zy8+"}`)
		if c, err := readConfig(from(map[string]string{"BRAND_FILE": inside})); err != nil || !strings.HasPrefix(c.Provider.Logo, "data:") {
			t.Errorf("a logo inside its address: %v", err)
		}
	})
}

func jsonFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "values.json")
	check.Must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestAWrongValueInAFileIsNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"name": "two\nlines"}`: "name:", `{"name": "` + strings.Repeat("x", 201) + `"}`: "name:", `{"support_mail": "x"}`: "support_mail:",
		`{"logo": "logo.svg"}`:                     "logo:",
		`{"logo": "https://cdn.example/logo.svg"}`: "logo:", `{"logo": "data:text/html,x"}`: "logo:", `{"logo": "//evil.example/x"}`: "logo:",
		`{"terms_url": "javascript:alert(1)"}`: "terms_url:",
		`{"privacy_url": "//evil.example/x"}`:  "privacy_url:", `{"guide_url": "guide.pdf"}`: "guide_url:",
		`{"support_mail": "Ann <ann@x.example>"}`: "support_mail:", `{"motto": "Pay"}`: "there is no motto; it may have name, logo",
		`{"year": 2026}`: "is not a JSON object of texts", `name=Pay`: "is not a JSON object of texts",
	} {
		_, err := readConfig(from(map[string]string{"BRAND_FILE": jsonFile(t, text)}))
		if err == nil || !strings.HasPrefix(err.Error(), "BRAND_FILE: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to name %q", text, err, want)
		}
	}
	if _, err := readConfig(from(map[string]string{"BRAND_FILE": "/nowhere"})); err == nil || !strings.HasPrefix(err.Error(), "BRAND_FILE: ") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestTheHostedPageIsTheTestGatewaysByDefault(t *testing.T) {
	t.Parallel()
	public := &url.URL{Scheme: "https", Host: "pay.example"}
	for name, c := range map[string]config{"a demo": {demo: true}, "a real site": {}} {
		own := c.hostedDemo(public)
		if own.URL != "https://pay.example/sandbox/hps" || own.Script != "https://pay.example/sandbox/checkout.js" ||
			own.FrameURL == "" || own.Public != "https://pay.example" || !own.OwnMerchants {
			t.Errorf("%s: %+v", name, own)
		}
		if common := own.MerchantID != "" || own.PublicKey != "" || own.MerchantsURL != ""; common != c.demo {
			t.Errorf("%s: merchants for everybody: %+v", name, own)
		}
	}
	other, err := readConfig(from(map[string]string{
		"HPS_URL": "https://hps.example/pay", "CHECKOUT_SCRIPT_URL": "https://cdn.example/c.js", "JQUERY_URL": "https://cdn.example/j.js",
		"OUTBOUND_ALLOW": "127.0.0.1:9000, shop.test:80",
	}))
	if err != nil || strings.Join(other.OutboundAllow, "|") != "127.0.0.1:9000|shop.test:80" {
		t.Fatalf("%v %v", other.OutboundAllow, err)
	}
	// The test merchants belong to the sandbox and mean nothing to another provider.
	named := other.hostedDemo(public)
	if named.URL != "https://hps.example/pay" || named.Script != "https://cdn.example/c.js" ||
		named.JQuery != "https://cdn.example/j.js" || named.OwnMerchants || named.MerchantID != "" || named.MerchantsURL != "" || named.FrameURL != "" {
		t.Errorf("%+v", named)
	}
}

// someRecipient is nobody's.
const someRecipient = "age1kke5ythd2cevpsj44gvenug5d04ae0u25y8m085g2z3ahlnnupcqcletsw"

func TestAWrongSettingIsNamedAndStopsTheProgram(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, value string }{
		{"FORECOURT_ADDR", "8080"}, {"FORECOURT_ADDR", "127.0.0.1:99999"},
		{"FORECOURT_ADDR", "127.0.0.1:nonsense"}, {"FORECOURT_ADDR", "a host:80"},
		{"FORECOURT_URL", "pay.example"}, {"FORECOURT_URL", "ftp://pay.example"}, {"FORECOURT_URL", "https://pay.example/shop"},
		{"FORECOURT_URL", "https://u:p@pay.example"}, {"FORECOURT_URL", "https://"}, {"FORECOURT_URL", "https://pay.example?x"},
		{"BRIDGE_URL", "localhost:3015"}, {"BRIDGE_URL", "http://*:3015"},
		{"BRIDGE_URL", "http://localhost;x"}, {"BRIDGE_URL", "http://localhost:3015/x"},
		{"CRM_SOCKET_URL", "ws://localhost:3017"}, {"CRM_SOCKET_URL", "wss://"},
		{"CRM_SOCKET_URL", "wss://u@localhost/"}, {"CRM_SOCKET_URL", "wss://*/"},
		{"DATABASE_URL", "mysql://u:hunter2@db/x"}, {"DATABASE_URL", "postgres://u:hunter2@db:port/x"},
		{"DATABASE_URL", "postgres://u:hunter2@db/x?sslmode=nonsense"},
		{"DATABASE_URL", "postgres://u:hunter2@db/x?default_query_exec_mode=exec"}, {"DATABASE_LISTEN_URL", "postgres://db/x"},
		{"FORECOURT_SECRET", "hunter2"},
		{"FORECOURT_DEMO", "maybe"},
		{"GATEWAY_URL", "gateway"}, {"GATEWAY_URL", "https://gateway?x=1"},
		{"GATEWAY_TIMEOUT", "10"}, {"GATEWAY_TIMEOUT", "0s"}, {"GATEWAY_TIMEOUT", "-1s"}, {"GATEWAY_TIMEOUT", "1h"},
		{"REDIRECT_HOSTS", "https://bank.example"}, {"REDIRECT_HOSTS", "*.example"},
		{"REDIRECT_HOSTS", "bank.example;script-src"}, {"REDIRECT_HOSTS", "bank.example/path"},
		{"HPS_URL", "pay.example"}, {"HPS_URL", "https://pay.example;script-src/hps"},
		{"CHECKOUT_SCRIPT_URL", "/checkout.js"}, {"JQUERY_URL", "ftp://x/jquery.js"},
		{"OUTBOUND_ALLOW", "shop.example"}, {"OUTBOUND_ALLOW", "https://shop.example:443"}, {"OUTBOUND_ALLOW", ":80"},
		{"DESCRIPTORS", "panezski"}, {"DESCRIPTORS", "=X"}, {"DESCRIPTORS", "panezski="},
		{"LOG_LEVEL", "loud"}, {"FORECOURT_DRAIN", "5"}, {"FORECOURT_DRAIN", "-1s"},
		{"FORECOURT_DRAIN", "1h"}, {"TLS_CERT", "cert.pem"}, {"TLS_KEY", "key.pem"},
		{"LIMITS", "token=0"}, {"LIMITS", "bearer=many"}, {"LIMITS", "address=29"},
		{"LIMITS", "cards=3"}, {"LIMITS", "card"}, {"LIMITS", "card=3,card=4"},
		{"TRUSTED_PROXIES", "0.0.0.0/0"}, {"TRUSTED_PROXIES", "10.0.0.1 ::/0"}, {"TRUSTED_PROXIES", "proxy.example"},
		{"FORECOURT_ADMIN_ADDR", "127.0.0.1:8080"}, {"FORECOURT_ADMIN_ADDR", ":8080"},
		{"FORECOURT_ADMIN_ADDR", "nonsense"}, {"FORECOURT_ADMIN_ADDR", "127.0.0.1:notaport"},
		{"FORECOURT_DOMAIN", "localhost"}, {"FORECOURT_DOMAIN", "https://pay.example"}, {"FORECOURT_DOMAIN", "pay.example:443"},
		{"FORECOURT_DOMAIN", "*.pay.example"}, {"FORECOURT_DOMAIN", "192.0.2.1"}, {"FORECOURT_DOMAIN", "pay.example."},
		{"FORECOURT_ADDR", "127.0.0.1:8080 127.0.0.1:8081"}, {"FORECOURT_ADDR", ":1 :2 :3"},
		{"ACME_URL", "ca.internal"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"}, {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://u:hunter2@collector"},
	} {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			t.Parallel()
			values := map[string]string{tt.name: tt.value}
			if tt.name == "DATABASE_URL" {
				values["FORECOURT_SECRET"] = strings.Repeat("s", 32)
			}
			commands := []string{"serve", "migrate", "demo"}
			if tt.name != "FORECOURT_ADDR" { // each command reads all settings the same way
				commands = commands[:1]
			}
			for _, command := range commands {
				check.Lacks(t, shell{t, values}.fails(2, tt.name, command), "hunter2", "%s says", command)
			}
		})
	}
}

func TestSettingsThatDoNotGoTogetherAreNamed(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty")
	check.Must(t, os.WriteFile(empty, nil, 0o600))
	for _, tt := range []struct{ values, want string }{ // how the error begins; "" for none
		{"DATABASE_URL=postgres://db/x", "FORECOURT_SECRET: "},
		{"FORECOURT_DOMAIN=pay.example FORECOURT_URL=https://shop.example", "FORECOURT_URL: with"},
		{"FORECOURT_DOMAIN=pay.example FORECOURT_URL=http://pay.example", "FORECOURT_URL: with"},
		{"FORECOURT_DOMAIN=pay.example TLS_CERT=cert.pem TLS_KEY=key.pem", "TLS_CERT: "},
		{"TLS_CERT=/nowhere/cert.pem TLS_KEY=/nowhere/key.pem", "TLS_CERT: "},
		{"FORECOURT_DOMAIN=pay.example ACME_URL=http://ca.internal/dir", "ACME_URL: "},
		{"FORECOURT_DOMAIN=pay.example FORECOURT_ADDR=127.0.0.1:80", "FORECOURT_ADDR: the"},
		{"FORECOURT_DOMAIN=pay.example FORECOURT_ADMIN_ADDR=127.0.0.1:80", "FORECOURT_ADMIN_ADDR: "},
		{"ARCHIVE_TO=s3://s3.example/bucket", "ARCHIVE_RECIPIENT: it is required"},
		{"ARCHIVE_TO=/mnt/archive ARCHIVE_RECIPIENT=AGE-SECRET-KEY-1", "ARCHIVE_RECIPIENT: it has to be"},
		{"ARCHIVE_TO=/data/archive FORECOURT_DATA=/data ARCHIVE_RECIPIENT=" + someRecipient, "ARCHIVE_TO: it may not be in"},
		{"ARCHIVE_TO=/mnt/archive DATABASE_URL=postgres://db/x FORECOURT_SECRET=" + strings.Repeat("s", 32), "ARCHIVE_TO: it archives the"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 OTEL_EXPORTER_OTLP_HEADERS=hunter2", "OTEL_EXPORTER_OTLP_HEADERS: "},
		{"LIMITS=push=0", "LIMITS: push: "},

		{"GATEWAY_URL=https://gateway.example GATEWAY_KEY=k", ""},
		{"GATEWAY_URL=http://127.0.0.1:3016 GATEWAY_KEY=k", ""},
		{"GATEWAY_URL=http://[::1]:3016 GATEWAY_KEY=k", ""},
		{"GATEWAY_URL=https://gateway.example", "GATEWAY_KEY: "},
		{"GATEWAY_URL=http://gateway.example GATEWAY_KEY=k", "GATEWAY_URL: "},
		{"GATEWAY_URL=http://10.0.0.1:3016 GATEWAY_KEY=k", "GATEWAY_URL: "},
		{"GATEWAY_URL=http://127.0.0.1.evil.example GATEWAY_KEY=k", "GATEWAY_URL: "},
		{"GATEWAY_PREVIOUS_URL=http://gateway.example GATEWAY_PREVIOUS_KEY=k", "GATEWAY_PREVIOUS_URL: "},
		{"GATEWAY_PREVIOUS_URL=https://old.example", "GATEWAY_PREVIOUS_KEY: "},
		{"GATEWAY_PREVIOUS_ID=old", "GATEWAY_PREVIOUS_URL: "},
		{
			"GATEWAY_URL=https://a.example GATEWAY_KEY=k GATEWAY_PREVIOUS_URL=https://A.example/ GATEWAY_PREVIOUS_KEY=k",
			"GATEWAY_PREVIOUS_ID: ",
		},

		{"APPLEPAY_URL=wallets.example", "APPLEPAY_URL: "},
		{"APPLEPAY_CERT=" + empty, "APPLEPAY_CERT: "},
		{"APPLEPAY_KEY=" + empty, "APPLEPAY_CERT: "},
		{"APPLEPAY_CERT=" + empty + " APPLEPAY_KEY=" + empty + " APPLEPAY_MERCHANT_ID=m", "APPLEPAY_CERT: "},
		{"APPLEPAY_CERT=" + empty + " APPLEPAY_KEY=" + empty, "APPLEPAY_MERCHANT_ID: "},
		{"APPLEPAY_DOMAIN_FILE=" + empty, "APPLEPAY_DOMAIN_FILE: "},
		{"APPLEPAY_DOMAIN_FILE=" + empty + "/nothing", "APPLEPAY_DOMAIN_FILE: "},
		{"GOOGLEPAY_SCRIPT_URL=javascript:alert(1)", "GOOGLEPAY_SCRIPT_URL: "},
		{"GOOGLEPAY_SCRIPT_URL=//pay.google.com/x.js", "GOOGLEPAY_SCRIPT_URL: "},
	} {
		values := map[string]string{}
		for pair := range strings.FieldsSeq(tt.values) {
			name, value, _ := strings.Cut(pair, "=")
			values[name] = value
		}
		_, err := readConfig(from(values))
		var wrong *settingError
		if errors.As(err, &wrong) != (tt.want != "") || tt.want == "" && err != nil ||
			err != nil && (!strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2")) {
			t.Errorf("%s: %v, want %q", tt.values, err, tt.want)
		}
	}
}

func TestEverySettingIsExplained(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	_, err := readConfig(func(name string) string { asked[name] = true; return "" })
	check.Must(t, err)
	var help strings.Builder
	if code := run(t.Context(), []string{"serve", "--help"}, from(nil), &help, &help); code != 0 || len(asked) < 45 {
		t.Fatalf("%d, %d settings", code, len(asked))
	}
	for name := range asked {
		check.Contains(t, help.String(), name+" ", "serve --help does not name %s", name)
	}
}
