package books

import (
	"context"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	"forecourt/internal/shop/shop"
)

// ErrNoRefundLimit means that the role cannot have a limit, or that the limit is not valid.
var ErrNoRefundLimit = fault.New(fault.Invalid, "not a limit of a role")

// mostRefundLimit is the highest limit that can be set, in minor units.
const mostRefundLimit = 99_999_999

// RefundLimits are how much each person of a role may refund of one payment, in minor units of the shop's currency; nil is no limit.
type RefundLimits map[shop.Role]*int64

// Of returns the limit of a role for payments in the shop's currency, or in a foreign one. An amount in another currency cannot be compared
// with the limit, so only a role without one may refund it.
func (l RefundLimits) Of(role shop.Role, foreign bool) *int64 {
	limit, may := l[role]
	if !may || foreign && limit != nil {
		return new(int64)
	}
	return limit
}

// Refunders lists the roles that may have a limit.
func Refunders() (roles []shop.Role) {
	for _, role := range shop.Roles() {
		if role.May(shop.Refund) {
			roles = append(roles, role)
		}
	}
	return roles
}

// RefundLimits returns the limits of a shop.
func (b *Books) RefundLimits(ctx context.Context, one shop.Shop) (RefundLimits, error) {
	limits := RefundLimits{shop.Owner: nil, shop.Manager: new(int64(20_000)), shop.Floor: new(int64)} // until an owner sets others
	rows, err := b.queries.RefundLimitList(ctx, one.Code)
	for _, row := range rows {
		if role := shop.Role(row.Role); role.May(shop.Refund) {
			limits[role] = row.MostMinor
		}
	}
	return limits, err
}

// Refunder returns what a member of a shop's team may refund of a payment. More than managers may refund needs a proof of who it is.
func (b *Books) Refunder(ctx context.Context, one shop.Shop, by shop.Person, role shop.Role, p Payment) (payment.RefundMember, error) {
	limits, err := b.RefundLimits(ctx, one)
	foreign := p.Currency != one.Currency
	return payment.RefundMember{
		Account: by.ID, Proof: by.Proof, Role: string(role), Subject: shop.Subject(one.Code),
		Limit: limits.Of(role, foreign), Large: limits.Of(shop.Manager, foreign),
	}, err
}

// RefundAllowance returns how much of a payment a member may still refund; nil is no limit.
func (b *Books) RefundAllowance(ctx context.Context, one shop.Shop, by shop.Person, role shop.Role, p Payment) (*int64, error) {
	member, err := b.Refunder(ctx, one, by, role, p)
	if err != nil || member.Limit == nil {
		return nil, err
	}
	total, err := b.queries.RefundedBy(ctx, p.ID, by.Email)
	return new(max(*member.Limit-total, 0)), err
}

// SetRefundLimits changes the limits of roles, and whether floor staff see the takings. Only owners may. Errors: account.ErrUnproved,
// shop.ErrMissing, shop.ErrRole, ErrNoRefundLimit.
func (b *Books) SetRefundLimits(ctx context.Context, by shop.Person, one shop.Shop, set RefundLimits, takings bool) error {
	if err := by.Proof.Check(); err != nil {
		return err
	}
	for role, most := range set {
		if !role.May(shop.Refund) || most != nil && (*most < 0 || *most > mostRefundLimit) {
			return ErrNoRefundLimit
		}
	}
	return b.shops.Change(ctx, by, one.Code, shop.Own, func(tx pgx.Tx) (shop.Change, error) {
		in := Books{queries: b.queries.WithTx(tx)}
		was, err := in.RefundLimits(ctx, one)
		if err != nil {
			return shop.Change{}, err
		}
		changed := ""
		for _, role := range Refunders() {
			next, ok := set[role]
			before, after := limitText(was[role], one.Currency), limitText(next, one.Currency)
			if !ok || before == after {
				continue
			}
			if err := in.queries.RefundLimitSet(ctx, one.Code, string(role), next); err != nil {
				return shop.Change{}, err
			}
			changed += "; " + string(role) + ": " + before + " to " + after
		}
		if takings != one.FloorTakings {
			if err := in.queries.ShopFloorTakings(ctx, takings, one.Code); err != nil {
				return shop.Change{}, err
			}
			changed += "; floor staff see takings: " + map[bool]string{true: "yes", false: "no"}[takings]
		}
		if changed == "" {
			return shop.Change{}, nil
		}
		return shop.Change{Action: "refund limit changed", Detail: changed[len("; "):]}, nil
	})
}

func limitText(most *int64, currency string) string {
	if most == nil {
		return "no limit"
	}
	return money.Label(*most, currency)
}
