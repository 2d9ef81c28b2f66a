package demo

import (
	"context"

	"forecourt/db"
)

// The demo's invited user, whose address is Email. The secret key is public: it only makes tokens of a business that takes no real
// money.
const (
	InviteID  = "demo-invite" // the id of the link
	InviteKey = "demo-secret-key"
)

// inviteKeyHash is the hash of InviteKey. Computing it at each start would waste time.
const inviteKeyHash = "$argon2id$v=19$m=19456,t=2,p=1$uwAJuBvWD8IApiZr/D/0/g$vFzNN5cgn0apbFY90fAppdkR3CLZS1M/6XJBEnPJCLA"

func loadInvite(ctx context.Context, queries *db.Queries) error {
	return queries.InviteCreateDemo(ctx, db.InviteCreateDemoParams{
		DocID: InviteID, ShopCode: Shop, Email: Email, SecretKeyHash: inviteKeyHash,
	})
}
