package db_test

import (
	"testing"

	"forecourt/db"
	"forecourt/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestEachCallAboutAClientIsOneQuery(t *testing.T) {
	t.Parallel()
	queries := db.New(dbtest.Pool(t))
	client, err := queries.ClientGet(t.Context(), "panezski")
	if err != nil || client.Name == "" || client.Live {
		t.Errorf("PAY-51 merchant info: %+v, %v", client, err)
	}
	for live, mid := range map[bool]string{false: "sandbox-panezski-test", true: "sandbox-panezski-live"} {
		account, err := queries.ClientAccountGet(t.Context(), "panezski", live)
		if err != nil || account.PaylinkMid != mid || account.PaylinkPwd == "" {
			t.Errorf("PAY-51 PAY-52 account for live %v: %+v, %v", live, account, err)
		}
	}
	mail, err := queries.ClientMailGet(t.Context(), "panezski")
	if err != nil || mail.MerchantID != "panezski" || mail.PlName == "" || mail.Mail == "" || mail.PlMerchantEmail == "" {
		t.Errorf("PAY-51 PAY-53 mail info: %+v, %v", mail, err)
	}
	if _, err := queries.ClientAccountGet(t.Context(), "sabona", false); err == nil {
		t.Error("sabona has a paylink key, but should not")
	}
}
