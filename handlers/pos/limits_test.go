package pos_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/order"
	"forecourt/views/props"
)

func TestTheBrowserKnowsTheLimitsOfAnOrder(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]struct{ browser, server int }{
		"quantity of a line": {props.MaxQty, order.MaxQty}, "letters of a name": {props.MaxName, order.MaxName},
	} {
		check.Equal(t, limit.browser, limit.server, "%s: the browser allows", name)
	}
}
