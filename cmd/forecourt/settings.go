package main

// settings is what serve --help prints, in its order.
const settings = `Settings (environment variables; nothing has to be set):

  FORECOURT_ADDR     listen address, default 127.0.0.1:8080; port 0 takes a free one
  FORECOURT_ADMIN_ADDR
                     second listen address for operators: /metrics, /debug/pprof; default off
  FORECOURT_URL      public address, used in links; default from the listen address
  DATABASE_URL       a PostgreSQL (14 or newer); default is the one inside this program
  DATABASE_LISTEN_URL
                     the same PostgreSQL without a pooler in between, for events; default
                     DATABASE_URL
  DATABASE_REPLICA_URL
                     a read replica of it that menus are read from; default DATABASE_URL
  FORECOURT_DATA     folder of the database inside and of generated secrets, default ./data
  FORECOURT_SECRET   32 bytes or more that keys are derived from; generated and kept in
                     the data folder, required with DATABASE_URL
  FORECOURT_DEMO     on or off: load the demo data at start; default on with the database
                     inside, else off
  GATEWAY_URL        the payments gateway, default is the built-in sandbox
  GATEWAY_KEY        bearer key sent to the gateway, default is the sandbox's
  GATEWAY_TIMEOUT    of one call to the gateway, default 10s
  REDIRECT_HOSTS     hosts that the gateway may send a customer to, default its own
  HPS_URL            hosted payment page of the demo, default is the sandbox's (with GATEWAY_URL,
                     /hps there)
  CHECKOUT_SCRIPT_URL
                     script of the embedded checkout, default is the sandbox's
  JQUERY_URL         jQuery for that script, default is the little of it that the sandbox's needs
  OUTBOUND_ALLOW     host:port pairs that notifications and push messages may reach although
                     they are not https on a public address
  APPLEPAY_URL       payment service that validates merchants with Apple, default GATEWAY_URL
  APPLEPAY_MERCHANT_ID
                     merchant identifier that Apple knows, default each client's code
  APPLEPAY_CERT, APPLEPAY_KEY
                     files of the merchant identity: shown to APPLEPAY_URL or, without one,
                     to Apple itself, which is then called directly
  APPLEPAY_DOMAIN_FILE
                     file that Apple looks for at /.well-known/apple-developer-merchantid-
                     domain-association
  GOOGLEPAY_MERCHANT_ID
                     merchant id that Google knows; live payments need one
  GOOGLEPAY_GATEWAY  Google's name for the payments gateway, default example: its test gateway
  GOOGLEPAY_SCRIPT_URL
                     Google's script, default https://pay.google.com/gp/p/js/pay.js
  DESCRIPTORS        client=TEXT,…: fixed names on statements; default LAT*client
  TRUSTED_PROXIES    addresses or networks whose X-Forwarded-For is believed
  LIMIT_TRANSACTION  declines of one transaction before it cannot be paid, default 5
  LIMIT_CARD         declines an hour of one card from one address, default 3
  LIMIT_ADDRESS      declines an hour from one address, default and least 30
  LIMIT_MERCHANT     declines an hour of a business, more than half of its payments,
                     before addresses that had one there have to wait; default 30
  LIMIT_TOKEN        wrong emails or secret keys in 15 minutes of one token page, default 5
  LIMIT_BEARER       wrong bearer tokens an hour from one address, default 20
  LIMIT_STREAMS      pages of one address that hear of changes at once, default 40; more of
                     them ask from time to time
  LIMIT_PUSH         browsers of one address that ask to be told in an hour, default 120
  LIMIT_SIGNIN_ACCOUNT
                     failed sign-ins of one account in 15 minutes, default 5
  LIMIT_SIGNIN_ADDRESS
                     failed sign-ins and sign-ups from one address in an hour, default 20
  SMTP_URL           smtp://user:password@host:port, or smtps://: the mail server; unset keeps
                     mails in the outbox, shown at /dev/outbox in demo mode
  MAIL_FROM          sender of mails, "Name <address>"; default no-reply at the public host
  MAIL_BCC           address that gets a copy of what payers are told of money, default none
  PUSH_PROJECT_ID, PUSH_API_KEY, PUSH_APP_ID, PUSH_SENDER_ID
                     the project that sends push messages; made up for the demo, else
                     without all four of them no messages are sent
  PUSH_VAPID_PUBLIC, PUSH_VAPID_PRIVATE
                     its keys, base64url; default made of FORECOURT_SECRET
  PUSH_SYNC_URL      address that hears who signs in (POST) and out (DELETE), with
                     PUSH_API_KEY as bearer token; default none
  EMBED_ORIGINS      space-separated origins, https://HOST, that may frame /merchant/admin and hear
                     of the merchant's key; default the site's own
  BRIDGE_URL         the terminal service that the demo calls, default http://localhost:3015
  CRM_SOCKET_URL     the local secure websocket that /crm/ws tries, default
                     wss://localhost:3017/
  FORECOURT_DRAIN    how long a stop goes on serving while /readyz answers 503, so that a load
                     balancer sends nothing new; default 0s, at most 1m
  LOG_LEVEL          debug, info, warn or error: the least that is logged, default info
  OTEL_EXPORTER_OTLP_ENDPOINT
                     collector of traces, OTLP over HTTP, such as http://localhost:4318;
                     default off
  OTEL_EXPORTER_OTLP_HEADERS
                     NAME=VALUE,… sent with them. OpenTelemetry's library reads its other
                     variables, OTEL_*, itself
  TLS_CERT, TLS_KEY  files to serve https with, default off

  Who runs the site; the defaults are those of a provider that does not exist:
  BRAND_NAME, BRAND_LOGO
                     its name, and a path of this site or a data:image/… for its logo
  BRAND_AU_ADDRESS, BRAND_AU_PHONE, BRAND_AU_TOLL_FREE
                     the Australian office
  BRAND_UK_ADDRESS, BRAND_UK_PHONE, BRAND_UK_FAX
                     the office in the United Kingdom
  BRAND_LICENCE      number of the Australian Financial Services Licence
  BRAND_YEAR         of the copyright lines, default 2025
  BRAND_PRIVACY_URL, BRAND_TERMS_URL, BRAND_GUIDE_URL
                     documents elsewhere; default /privacy, /terms and /guide.pdf here
  BRAND_SUPPORT_MAIL where people may write to
`
