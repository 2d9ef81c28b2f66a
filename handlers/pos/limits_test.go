package pos_test

import (
	"testing"

	"forecourt/internal/order"
	"forecourt/views/props"
)

func TestTheBrowserKnowsTheLimitsOfAnOrder(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]struct{ browser, server int }{
		"quantity of a line": {props.MaxQty, order.MaxQty}, "letters of a name": {props.MaxName, order.MaxName},
	} {
		if limit.browser != limit.server {
			t.Errorf("%s: the browser allows %d, the server %d", name, limit.browser, limit.server)
		}
	}
}
