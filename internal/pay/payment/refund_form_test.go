package payment_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
)

func TestARefundOfLinesIsTheirPrice(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app) // two croissants of $5.50
	for _, step := range []struct {
		name  string
		lines []payment.RefundLine
		want  error
		cents int64
	}{
		{"one of two", []payment.RefundLine{{No: 1, Qty: 1}}, nil, 550},
		{"two where one is left", []payment.RefundLine{{No: 1, Qty: 2}}, payment.ErrTooMuch, 550},
		{"an unknown line", []payment.RefundLine{{No: 2, Qty: 1}}, payment.ErrLines, 550},
		{"a negative quantity", []payment.RefundLine{{No: 1, Qty: -1}}, payment.ErrLines, 550},
		{"the same line twice", []payment.RefundLine{{No: 1, Qty: 1}, {No: 1, Qty: 1}}, payment.ErrTooMuch, 550},
		{"the remaining one", []payment.RefundLine{{No: 1, Qty: 1}}, nil, 1100},
	} {
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, By: "test", Again: true, Lines: step.lines, Amount: 1})
		if got := stored(t, app, id).Transaction.RefundedMinor; !errors.Is(err, step.want) || got != step.cents {
			t.Errorf("%s: %v, %d cents given back; want %v, %d", step.name, err, got, step.want, step.cents)
		}
	}
}

func TestARefundIsLimitedToTheRequestingBusiness(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	first, second, key := paid(t, app), paid(t, app), uuid.New()
	order := payment.RefundRequest{TransactionID: first, By: "test", Amount: 100, ID: key, Shop: "moollar"}
	_, err := app.Payments.Refund(t.Context(), order)
	check.ErrorIs(t, err, payment.ErrMissing, "refunding another business's payment")
	order.Shop = "panezski"
	_, err = app.Payments.Refund(t.Context(), order)
	check.NoError(t, err)
	order.TransactionID = second
	_, err = app.Payments.Refund(t.Context(), order)
	check.ErrorIs(t, err, payment.ErrOtherRefund, "refunding with the id of another payment's refund")
}

func TestAMemberRefundsWhatTheirRoleMay(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app)
	demoAdmin := dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM account WHERE email = 'demo@forecourt.test'")
	for _, step := range []struct {
		name   string
		member payment.RefundMember
		want   error
	}{
		{"whose role has changed", payment.RefundMember{Role: "manager"}, payment.ErrMember},
		{"above the limit", payment.RefundMember{Role: "owner", Limit: new(int64(99)), Proof: account.OperatorProof()}, payment.ErrLimit},
		{"above the limit of managers, unproved", payment.RefundMember{Role: "owner", Large: new(int64(99))}, account.ErrUnproved},
		{"up to the limit", payment.RefundMember{Role: "owner", Limit: new(int64(100)), Large: new(int64(100))}, nil},
		{"with the earlier one above the limit", payment.RefundMember{Role: "owner", Limit: new(int64(199))}, payment.ErrLimit},
		{"of another team", payment.RefundMember{Account: uuid.New(), Role: "owner"}, payment.ErrMissing},
	} {
		if step.member.Subject = "shop panezski"; step.member.Account == uuid.Nil {
			step.member.Account = demoAdmin
		}
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{
			TransactionID: id, By: "demo@forecourt.test", Again: true, Amount: 100, Member: &step.member,
		})
		check.ErrorIs(t, err, step.want, "a member %s", step.name)
	}
	check.Equal(t, stored(t, app, id).Transaction.RefundedMinor, 100, "cents are given back")
	logged := dbtest.Value[string](t, app.Pool, "SELECT string_agg(subject || ': ' || reason, ', ') FROM audit WHERE action = 'refund'")
	check.Equal(t, logged, "shop panezski: "+id+" $1.00", "the log says once")
}
