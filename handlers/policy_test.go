package handlers_test

import "forecourt/handlers"

// policy is what a route is meant to allow, written down apart from the map of the site, so that a mistake in either shows. Words
// in capitals in path and body stand for the ids of a cast.
type policy struct {
	who   handlers.Who
	path  string // "" is the route's own
	body  string // changes nothing that later requests need
	want  int    // status for those who may
	wrong int    // status for them with an id or a token that nobody made; 0: the address names nothing of anybody
}

// policies has a line for every route, by method and path.
func policies() map[string]policy {
	return map[string]policy{
		"GET /":            {who: handlers.Anyone, want: 200},
		"GET /{page}":      {who: handlers.Anyone, path: "/nothing", want: 200},
		"GET /search":      {who: handlers.Anyone, want: 200},
		"GET /privacy":     {who: handlers.Anyone, want: 200},
		"GET /terms":       {who: handlers.Anyone, want: 200},
		"GET /guide.pdf":   {who: handlers.Anyone, want: 200},
		"GET /docs":        {who: handlers.Anyone, want: 200},
		"GET /docs/{page}": {who: handlers.Anyone, path: "/docs/api", want: 200},

		"GET /demo":                  {who: handlers.Anyone, want: 200},
		"GET /demo/keygen":           {who: handlers.Anyone, want: 200},
		"POST /demo/keygen":          {who: handlers.Anyone, want: 200},
		"GET /demo/hps":              {who: handlers.Anyone, want: 200},
		"POST /demo/hps":             {who: handlers.Anyone, want: 422},
		"GET /demo/hps/{id}":         {who: handlers.Link, path: "/demo/hps/NOTE", want: 200, wrong: 200},
		"POST /demo/hps/{id}/notify": {who: handlers.Link, path: "/demo/hps/NOTE/notify", body: "x=y", want: 204, wrong: 204},
		"GET /demo/bridge":           {who: handlers.Anyone, want: 200},
		"GET /demo/qr":               {who: handlers.Anyone, want: 200},
		"GET /demo/qr/print":         {who: handlers.Anyone, want: 200},
		"GET /demo/qr/{client}.svg":  {who: handlers.Anyone, path: "/demo/qr/panezski.svg", want: 200},
		"GET /demo/qr/{client}.png":  {who: handlers.Anyone, path: "/demo/qr/panezski.png", want: 200},

		"GET /crm/ws": {who: handlers.Anyone, want: 200},

		"GET /signin":                       {who: handlers.Anyone, want: 200},
		"POST /signin":                      {who: handlers.Anyone, want: 422},
		"GET /signup":                       {who: handlers.Anyone, want: 200},
		"POST /signup":                      {who: handlers.Anyone, want: 422},
		"POST /signout":                     {who: handlers.Anyone, want: 303},
		"GET /reset":                        {who: handlers.Anyone, want: 200},
		"POST /reset":                       {who: handlers.Anyone, body: "email=x", want: 422},
		"GET /reset/{token}":                {who: handlers.Link, path: "/reset/RESET", want: 200, wrong: 410},
		"POST /reset/{token}":               {who: handlers.Link, path: "/reset/RESET", body: "password=weak&confirm=weak", want: 422, wrong: 410},
		"GET /verify/{token}":               {who: handlers.Guest, path: "/verify/VERIFY", want: 200, wrong: 410},
		"POST /verify/{token}":              {who: handlers.Guest, path: "/verify/VERIFY", want: 303, wrong: 410},
		"GET /first/{token}":                {who: handlers.Link, path: "/first/FIRST", want: 410, wrong: 410},                                     // the demo has staff
		"POST /first/{token}":               {who: handlers.Link, path: "/first/FIRST", body: "password=weak&confirm=weak", want: 410, wrong: 410}, // the demo has staff
		"GET /account":                      {who: handlers.Own, want: 200},
		"POST /account":                     {who: handlers.Own, body: "do=name&name=Ann", want: 303},
		"GET /onboarding/tokengen/{docId}":  {who: handlers.Link, path: "/onboarding/tokengen/INVITE", want: 200, wrong: 404},
		"POST /onboarding/tokengen/{docId}": {who: handlers.Link, path: "/onboarding/tokengen/INVITE", body: "email=x%40example.com&secretKey=x&password=x", want: 422, wrong: 404},

		"GET /merchant/admin":                {who: handlers.Asked, want: 200},
		"POST /merchant/admin":               {who: handlers.Own, want: 422},
		"GET /merchant/admin/width.css":      {who: handlers.Anyone, want: 200},
		"POST /merchant/admin/{uuid}/secret": {who: handlers.Record, path: "/merchant/admin/MERCHANT/secret", body: "x=y", want: 200, wrong: 404},
		"POST /merchant/admin/{uuid}/rotate": {who: handlers.Record, path: "/merchant/admin/MERCHANT/rotate", body: "x=y", want: 303, wrong: 404},
		"POST /merchant/admin/{uuid}/admins": {who: handlers.Record, path: "/merchant/admin/MERCHANT/admins", body: "email=x", want: 422, wrong: 404},
		"GET /merchant/join/{token}":         {who: handlers.Guest, path: "/merchant/join/JOIN", want: 200, wrong: 410},
		"POST /merchant/join/{token}":        {who: handlers.Guest, path: "/merchant/join/JOIN", want: 303, wrong: 410},

		"POST /api/create": {who: handlers.Asked, want: 415},

		"GET /form/{id}":         {who: handlers.Own, path: "/form/application", want: 200},
		"POST /form/{id}":        {who: handlers.Own, path: "/form/application", want: 303},
		"GET /form/{id}/check":   {who: handlers.Own, path: "/form/application/check", want: 200},
		"POST /form/{id}/check":  {who: handlers.Own, path: "/form/application/check", want: 303},
		"GET /form/{id}/{step}":  {who: handlers.Own, path: "/form/application/1", want: 200},
		"POST /form/{id}/{step}": {who: handlers.Own, path: "/form/application/1", want: 422},

		"GET /compliance/{id}":                 {who: handlers.Record, path: "/compliance/RECORD", want: 200, wrong: 404},
		"POST /compliance/{id}":                {who: handlers.Record, path: "/compliance/RECORD", body: "person=1", want: 422, wrong: 404},
		"GET /compliance/{id}/agreement.pdf":   {who: handlers.Record, path: "/compliance/RECORD/agreement.pdf", want: 200, wrong: 404},
		"GET /compliance/{id}/{number}/{side}": {who: handlers.Record, path: "/compliance/RECORD/1/front", want: 200, wrong: 404},

		"GET /api/compliance/{id}":                  {who: handlers.Record, path: "/api/compliance/RECORD", want: 200, wrong: 404},
		"POST /api/compliance/{id}/people/{number}": {who: handlers.Record, path: "/api/compliance/RECORD/people/1", body: "{}", want: 422, wrong: 404},

		"GET /staff/forms":                           {who: handlers.Staff, want: 200},
		"GET /staff/forms/{reference}":               {who: handlers.Staff, path: "/staff/forms/FORM", want: 200, wrong: 404},
		"POST /staff/forms/{reference}":              {who: handlers.Staff, path: "/staff/forms/FORM", body: "decision=x", want: 422, wrong: 404},
		"GET /staff/disputes":                        {who: handlers.Staff, want: 200},
		"GET /staff/disputes/{id}":                   {who: handlers.Staff, path: "/staff/disputes/DISPUTE", want: 200, wrong: 404},
		"GET /staff/payments":                        {who: handlers.Staff, want: 200},
		"GET /staff/payments/{id}":                   {who: handlers.Staff, path: "/staff/payments/PAYMENT", want: 200, wrong: 404},
		"POST /staff/payments/{id}":                  {who: handlers.Staff, path: "/staff/payments/PAYMENT", body: "decision=x", want: 422, wrong: 404},
		"GET /staff/refunds":                         {who: handlers.Staff, want: 200},
		"GET /staff/refunds/{id}":                    {who: handlers.Staff, path: "/staff/refunds/REFUND", want: 200, wrong: 404},
		"POST /staff/refunds/{id}":                   {who: handlers.Staff, path: "/staff/refunds/REFUND", body: "decision=x", want: 422, wrong: 404},
		"GET /staff/compliance":                      {who: handlers.Staff, want: 200},
		"GET /staff/compliance/{id}/{number}":        {who: handlers.Staff, path: "/staff/compliance/RECORD/1", want: 200, wrong: 404},
		"POST /staff/compliance/{id}/{number}":       {who: handlers.Staff, path: "/staff/compliance/RECORD/1", body: "decision=x", want: 422, wrong: 404},
		"GET /staff/compliance/{id}/{number}/{side}": {who: handlers.Staff, path: "/staff/compliance/RECORD/1/front", want: 200, wrong: 404},

		"GET /desk":                              {who: handlers.Own, want: 200},
		"GET /desk/new":                          {who: handlers.Own, path: "/desk/new?m=x", want: 303},
		"POST /desk/new":                         {who: handlers.Own, body: "do=look&m=" + "00000000-0000-0000-0000-000000000001", want: 200},
		"GET /desk/look":                         {who: handlers.Own, want: 200},
		"GET /desk/{client}/shop":                {who: handlers.Editor, path: "/desk/BUSINESS/shop", want: 200, wrong: 404},
		"POST /desk/{client}/shop":               {who: handlers.Editor, path: "/desk/BUSINESS/shop", body: "name=", want: 422, wrong: 404},
		"GET /desk/{client}/menu":                {who: handlers.Editor, path: "/desk/BUSINESS/menu", want: 200, wrong: 404},
		"POST /desk/{client}/menu":               {who: handlers.Editor, path: "/desk/BUSINESS/menu", body: "up=i1", want: 303, wrong: 404},
		"GET /desk/{client}/menu/category/{id}":  {who: handlers.Editor, path: "/desk/BUSINESS/menu/category/new", want: 200, wrong: 404},
		"POST /desk/{client}/menu/category/{id}": {who: handlers.Editor, path: "/desk/BUSINESS/menu/category/new", body: "name=", want: 422, wrong: 404},
		"GET /desk/{client}/menu/item/{id}":      {who: handlers.Editor, path: "/desk/BUSINESS/menu/item/new", want: 200, wrong: 404},
		"POST /desk/{client}/menu/item/{id}":     {who: handlers.Editor, path: "/desk/BUSINESS/menu/item/new", body: "name=", want: 422, wrong: 404},
		"GET /desk/{client}/menu/group/{id}":     {who: handlers.Editor, path: "/desk/BUSINESS/menu/group/new", want: 200, wrong: 404},
		"POST /desk/{client}/menu/group/{id}":    {who: handlers.Editor, path: "/desk/BUSINESS/menu/group/new", body: "name=", want: 422, wrong: 404},
		"GET /desk/{client}/menu/publish":        {who: handlers.Editor, path: "/desk/BUSINESS/menu/publish", want: 200, wrong: 404},
		"POST /desk/{client}/menu/publish":       {who: handlers.Editor, path: "/desk/BUSINESS/menu/publish", body: "revision=-5", want: 409, wrong: 404},
		"GET /desk/{client}/menu/versions":       {who: handlers.Editor, path: "/desk/BUSINESS/menu/versions", want: 200, wrong: 404},
		"POST /desk/{client}/menu/versions":      {who: handlers.Editor, path: "/desk/BUSINESS/menu/versions", body: "no=999", want: 404, wrong: 404},
		"GET /desk/{client}/menu/import":         {who: handlers.Editor, path: "/desk/BUSINESS/menu/import", want: 200, wrong: 404},
		"POST /desk/{client}/menu/import":        {who: handlers.Editor, path: "/desk/BUSINESS/menu/import", body: "document=x", want: 422, wrong: 404},
		"GET /desk/{client}/menu/export/{file}":  {who: handlers.Editor, path: "/desk/BUSINESS/menu/export/menu.csv", want: 200, wrong: 404},
		"GET /desk/{client}/menu/preview":        {who: handlers.Editor, path: "/desk/BUSINESS/menu/preview", want: 200, wrong: 404},
		"POST /desk/{client}/menu/preview":       {who: handlers.Editor, path: "/desk/BUSINESS/menu/preview", body: "add=1", want: 303, wrong: 404},
		"GET /desk/{client}/tables":              {who: handlers.Editor, path: "/desk/BUSINESS/tables", want: 200, wrong: 404},
		"POST /desk/{client}/tables":             {who: handlers.Editor, path: "/desk/BUSINESS/tables", body: "tables=1-3", want: 303, wrong: 404},
		"GET /desk/{client}":                     {who: handlers.Team, path: "/desk/BUSINESS", want: 200, wrong: 404},

		"GET /pos/{client}/kitchen":        {who: handlers.Kitchen, path: "/pos/BUSINESS/kitchen", want: 200, wrong: 404},
		"POST /pos/{client}/kitchen":       {who: handlers.Kitchen, path: "/pos/BUSINESS/kitchen", body: "done=PAID+LOCATION", want: 303, wrong: 404},
		"GET /pos/{client}/kitchen/events": {who: handlers.Kitchen, path: "/pos/BUSINESS/kitchen/events", want: 200, wrong: 404},
		"GET /pos/{client}":                {who: handlers.Anyone, path: "/pos/panezski", want: 200},
		"POST /pos/{client}":               {who: handlers.Anyone, path: "/pos/panezski", want: 303},
		"GET /pos/{client}/order":          {who: handlers.Anyone, path: "/pos/panezski/order", want: 200},
		"POST /pos/{client}/order":         {who: handlers.Anyone, path: "/pos/panezski/order", want: 422},
		"GET /pos/{client}/demo":           {who: handlers.Anyone, path: "/pos/panezski/demo", want: 200},
		"POST /pos/{client}/demo":          {who: handlers.Anyone, path: "/pos/panezski/demo", body: "name=A", want: 303},
		"POST /pos/{client}/demo/retry":    {who: handlers.Anyone, path: "/pos/panezski/demo/retry", want: 303},
		"GET /pos/{client}/{id}":           {who: handlers.Link, path: "/pos/panezski/ORDER", want: 200, wrong: 404},
		"POST /pos/{client}/{id}":          {who: handlers.Link, path: "/pos/panezski/ORDER", body: "name=A&card=4111111111111112&exp=12/34&cvc=123", want: 422, wrong: 404},
		"GET /pos/{client}/{id}/events":    {who: handlers.Link, path: "/pos/panezski/ORDER/events", want: 204, wrong: 404},
		"POST /pos/{client}/{id}/retry":    {who: handlers.Link, path: "/pos/panezski/PAID/retry", body: "x=y", want: 303, wrong: 404},
		"POST /pos/{client}/{id}/push":     {who: handlers.Link, path: "/pos/panezski/PAID/push", body: "token=PUSH", want: 303, wrong: 404},

		"GET /receipt/verify":              {who: handlers.Anyone, want: 200},
		"GET /receipt/key.pem":             {who: handlers.Anyone, want: 200},
		"GET /receipt/{token}":             {who: handlers.Link, path: "/receipt/RECEIPT", want: 200, wrong: 404},
		"GET /receipt/{token}/code.svg":    {who: handlers.Link, path: "/receipt/RECEIPT/code.svg", want: 200, wrong: 404},
		"GET /receipt/{token}/receipt.txt": {who: handlers.Link, path: "/receipt/RECEIPT/receipt.txt", want: 200, wrong: 404},
		"GET /receipt/{token}/receipt.sig": {who: handlers.Link, path: "/receipt/RECEIPT/receipt.sig", want: 200, wrong: 404},
		"POST /receipt/{token}/resend":     {who: handlers.Link, path: "/receipt/RECEIPT/resend", body: "x=y", want: 422, wrong: 404},

		"GET /picture/{hash}":        {who: handlers.Anyone, path: "/picture/00000000000000000000000000000000", want: 404},
		"GET /picture/{hash}/{size}": {who: handlers.Anyone, path: "/picture/00000000000000000000000000000000/large", want: 404},
		"GET /s/{code}":              {who: handlers.Anyone, path: "/s/CODE", want: 302, wrong: 404},
		"GET /s/*":                   {who: handlers.Anyone, path: "/s/demo/x", want: 404},

		"POST /api/pos":              {who: handlers.Anyone, body: `{"merchantId":"panezski"}`, want: 400},
		"GET /api/pos/{client}":      {who: handlers.Anyone, path: "/api/pos/panezski", want: 200},
		"GET /api/pos/{client}/{id}": {who: handlers.Link, path: "/api/pos/panezski/ORDER", want: 200, wrong: 404},
		"POST /api/pay":              {who: handlers.Link, body: `{"merchantId":"panezski","trxId":"PAID","cardholder":"A","pan":"4111111111111111","exp":"12/34","cvc":"123"}`, want: 200, wrong: 404},
		"POST /api/wallet":           {who: handlers.Link, body: `{"wallet":"gpay","merchantId":"panezski","transid":"PAID","token":{"x":1},"type":"x","info":{}}`, want: 200, wrong: 404},
		"POST /api/wallet/session":   {who: handlers.Anyone, body: `{"validationURL":"https://x.example","merchantId":"panezski"}`, want: 400},
		"POST /api/batch":            {who: handlers.Holder, body: "[]", want: 422},
		"GET /api/batch/{id}":        {who: handlers.Holder, path: "/api/batch/BATCH", want: 200, wrong: 404},
		"POST /gateway/{uuid}/pay":   {who: handlers.Holder, path: "/gateway/MERCHANT/pay", body: "{}", want: 401, wrong: 401}, // its credentials are in the body
		"GET /api/shortcode/{code}":  {who: handlers.Anyone, path: "/api/shortcode/CODE", want: 200, wrong: 404},

		"POST /api/push/v1/projects/{project}/registrations":           {who: handlers.Anyone, path: "/api/push/v1/projects/shop/registrations", body: "{}", want: 400},
		"PATCH /api/push/v1/projects/{project}/registrations/{token}":  {who: handlers.Link, path: "/api/push/v1/projects/shop/registrations/PUSH", body: `{"web":{"endpoint":"https://push.example.com/x","auth":"AAAAAAAAAAAAAAAAAAAAAA","p256dh":"BROWSER"}}`, want: 200, wrong: 404},
		"DELETE /api/push/v1/projects/{project}/registrations/{token}": {who: handlers.Link, path: "/api/push/v1/projects/shop/registrations/PUSH", want: 200, wrong: 404},

		"GET /sw.js":          {who: handlers.Anyone, want: 200},
		"GET /healthz":        {who: handlers.Anyone, want: 200},
		"GET /readyz":         {who: handlers.Anyone, want: 200},
		"GET /static/brand/*": {who: handlers.Anyone, path: "/static/brand/x.css", want: 404},
		"GET /static/*":       {who: handlers.Anyone, path: "/static/x", want: 404},
		"GET /.well-known/apple-developer-merchantid-domain-association": {who: handlers.Anyone, want: 200},
		"GET /.well-known/*": {who: handlers.Nobody, path: "/.well-known/x", want: 404},
		"GET /sandbox/*":     {who: handlers.Anyone, path: "/sandbox/hps/merchants", want: 200},
		"POST /sandbox/*":    {who: handlers.Anyone, path: "/sandbox/nothing", want: 404},

		"GET /dev/outbox":           {who: handlers.InDemo, want: 200},
		"GET /dev/outbox/{id}":      {who: handlers.InDemo, path: "/dev/outbox/MAIL", want: 200, wrong: 404},
		"GET /dev/outbox/{id}/html": {who: handlers.InDemo, path: "/dev/outbox/MAIL/html", want: 200, wrong: 404},
		"GET /dev/outbox/{id}/file": {who: handlers.InDemo, path: "/dev/outbox/MAIL/file", want: 200, wrong: 404},
	}
}
