package sandbox

import (
	"encoding/json"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/pay/gateway"
)

// The ledger file's buckets: payments by reference, ledger entries by time, captures by transactionid, refunds and disputes by
// reference, payments of the hosted page by id, their ids in the order in which they began, the keys of entries that no payout holds yet,
// hashes of the passwords of paylink accounts by mode and merchant id, and what the calls for tests have set.
var (
	paymentsBucket = []byte("payments")
	ledgerBucket   = []byte("ledger")
	capturesBucket = []byte("captures")
	refundsBucket  = []byte("refunds")
	hostedBucket   = []byte("hosted")
	disputesBucket = []byte("disputes")
	unpaidBucket   = []byte("unpaid")
	accountsBucket = []byte("accounts")
	settingsBucket = []byte("settings")

	hostedOrderBucket = []byte("hosted order")

	buckets = [][]byte{
		paymentsBucket, ledgerBucket, capturesBucket, refundsBucket, hostedBucket, disputesBucket, unpaidBucket, accountsBucket,
		hostedOrderBucket, settingsBucket,
	}
)

// store is the ledger file. Every write is on disk when its call returns.
type store struct{ db *bbolt.DB }

// state is the state of a payment at the acquirer.
type state string

const (
	approved   state = "approved"    // charged, or to be charged at payment.At
	declined   state = "declined"    // final
	challenged state = "challenged"  // waits for the customer on the 3-D Secure page
	failed     state = "failed"      // arrived, broke, charged nothing: open until it is resolved
	notCharged state = "not_charged" // closed for good, the reference is refused
)

// payment is the stored payment of a reference. Of the card it holds only the last four digits.
type payment struct {
	Reference string `json:"reference"`
	State     state  `json:"state"`
	// Arrivals counts the requests with this reference, refused ones too.
	Arrivals   int    `json:"arrivals"`
	TrxID      string `json:"trxId"`
	MerchantID string `json:"merchantId"`
	Wallet     bool   `json:"wallet,omitempty"`
	TestMode   bool   `json:"testMode"`
	Amount     int64  `json:"amount"`
	Currency   string `json:"currency"`
	LastFour   string `json:"lastFour,omitempty"`
	ReturnURL  string `json:"returnUrl,omitempty"`
	// At is when it was decided; in the future while the acquirer has not answered.
	At            time.Time            `json:"at"`
	TransactionID string               `json:"transactionid"`
	Code          string               `json:"code"`
	StatusCode    string               `json:"statuscode"`
	Description   string               `json:"errordesc"`
	BankNo        string               `json:"banktransactionno"`
	GatewayRef    string               `json:"gatewayreference"`
	Consumer      gateway.CardConsumer `json:"consumer"`
	Refunds       refundManner         `json:"refunds,omitempty"`
	Disputed      bool                 `json:"disputed,omitempty"`
}

// capture is one charge, with the sum of its refunds.
type capture struct {
	Reference  string       `json:"reference"`
	TrxID      string       `json:"trxId"`
	MerchantID string       `json:"merchantId"`
	Amount     int64        `json:"amount"`
	Currency   string       `json:"currency"`
	At         time.Time    `json:"at"`
	Refunded   int64        `json:"refunded"`
	Refunds    refundManner `json:"refunds,omitempty"`
}

// saveCharge records the charge of an approved payment: a ledger entry and a capture. Called again for another arrival of
// the same reference, with a transactionid of its own, it records a second one.
func saveCharge(tx *bbolt.Tx, p *payment) error {
	c := capture{
		Reference: p.Reference, TrxID: p.TrxID, MerchantID: p.MerchantID, Amount: p.Amount, Currency: p.Currency, At: p.At, Refunds: p.Refunds,
	}
	if err := put(tx, capturesBucket, p.TransactionID, &c); err != nil {
		return err
	}
	charge := entry{
		Kind: captureKind, Reference: p.Reference, TrxID: p.TrxID,
		TransactionID: p.TransactionID, Minor: p.Amount, Currency: p.Currency, At: p.At,
	}
	if _, err := appendEntry(tx, charge); err != nil || !p.Disputed {
		return err
	}
	return openDispute(tx, charge)
}

// get returns nil where there is nothing under the key.
func get[T any](tx *bbolt.Tx, bucket []byte, key string) (*T, error) {
	raw := tx.Bucket(bucket).Get([]byte(key))
	if raw == nil {
		return nil, nil
	}
	v := new(T)
	if err := json.Unmarshal(raw, v); err != nil {
		return nil, fmt.Errorf("the ledger's %s hold something unreadable: %w", bucket, err)
	}
	return v, nil
}

func put(tx *bbolt.Tx, bucket []byte, key string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.Bucket(bucket).Put([]byte(key), raw)
}
