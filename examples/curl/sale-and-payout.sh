#!/bin/sh
# A sale and a payout check against tillkit gateway, with curl and openssl and nothing else: what to write in any language.
#
#   TILLKIT_GATEWAY='npx tillkit gateway' sh sale-and-payout.sh
#
# PORT (default 4010, 0 for any free one) is the gateway's, CALLBACK_PORT (default 4443) is where callbacks are received.
set -eu

LOGIN=north
ENDPOINT=39
KEY=$(openssl rand -hex 16)
ACCEPT='Accept: application/vnd.pay+json'
CALLBACK_PORT=${CALLBACK_PORT:-4443}

place=$(mktemp -d)
gateway='' receiver='' answering=''
trap 'kill $gateway $receiver $answering 2>/dev/null || true; rm -rf "$place"' EXIT
trap 'exit 1' INT TERM

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# Waits until a file has a line with the text: half a minute at most.
wait_for() {
  left=60
  until grep -q "$2" "$1" 2>/dev/null; do
    [ "$left" -gt 0 ] || fail "no \"$2\" came"
    left=$((left - 1))
    sleep 0.5
  done
}

# --- Keys: the control key is shared; of the key pair only the public half leaves your hands (section 5.3).

openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$place/private.pem" 2>/dev/null ||
  openssl genrsa -out "$place/private.pem" 2048 2>/dev/null
openssl pkey -in "$place/private.pem" -pubout -out "$place/public.pem"

# --- The gateway. An order is decided after a minute, which its clock lets pass in no time.

cat >"$place/merchants.json" <<JSON
{
  "merchants": [
    { "login": "$LOGIN", "controlKey": "$KEY", "publicKeyFile": "public.pem", "endpoints": [{ "id": $ENDPOINT, "currency": "EUR" }] }
  ],
  "processingTime": 60000
}
JSON
# Callbacks are received below by openssl, which speaks TLS only: the gateway is told to trust its certificate.
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
  -keyout "$place/tls.key" -out "$place/tls.pem" 2>/dev/null
# shellcheck disable=SC2086 # It is a command and its arguments.
NODE_EXTRA_CA_CERTS="$place/tls.pem" ${TILLKIT_GATEWAY:-npx tillkit gateway} \
  --port "${PORT:-4010}" --config "$place/merchants.json" --json >"$place/gateway.json" &
gateway=$!
wait_for "$place/gateway.json" baseUrl
BASE=$(sed 's/.*"baseUrl":"\([^"]*\)".*/\1/' "$place/gateway.json")
CONTROL=$(sed 's/.*"control":"\([^"]*\)".*/\1/' "$place/gateway.json")
echo "The gateway listens at $BASE"

# --- What every request needs.

# The control value: SHA-1 of the items without a separator, the control key last, in lower-case hex (section 5.1).
control_value() { printf '%s' "$1$KEY" | openssl dgst -sha1 -r | cut -c 1-40; }

# One field of a reply. Values are texts or numbers: the digits of an order id must not pass through a number.
field() { printf '%s' "$2" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

# Asks how an order ended until it has. Nobody else says it reliably: a reply to a sale means that the order exists.
await_outcome() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    reply=$(curl -sS -H "$ACCEPT" --data-urlencode "login=$LOGIN" --data-urlencode "client_orderid=$1" \
      --data-urlencode "orderid=$2" --data-urlencode "control=$(control_value "$LOGIN$1$2")" \
      "$BASE/api/v2/status/$ENDPOINT")
    [ "$(field merchant-order-id "$reply")" = "$1" ] || fail "this is not the status of $1: $reply"
    [ "$(field paynet-order-id "$reply")" = "$2" ] || fail "this is not the status of $2: $reply"
    outcome=$(field status "$reply")
    echo "  status: $outcome"
    case $outcome in approved | declined | error | filtered) return ;; esac
    # With a real gateway: sleep 3
    curl -sS -d milliseconds=30000 "$CONTROL/clock" >/dev/null
  done
  fail "$1 has no outcome yet"
}

# --- Receiving callbacks: an HTTP server, just large enough.

mkfifo "$place/answer"
openssl s_server -quiet -accept "$CALLBACK_PORT" -naccept 1 -cert "$place/tls.pem" -key "$place/tls.key" \
  <"$place/answer" >"$place/callback" 2>/dev/null &
receiver=$!
exec 3>"$place/answer"
{
  wait_for "$place/callback" '^GET '
  printf 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nOK' >&3
} &
answering=$!

# --- A sale, signed with a control value. Its amount is 10.00 in the form and 1000 in the control value.

ORDER=order-$(openssl rand -hex 4)
EMAIL=ada@shop.test
echo "Sale $ORDER"
sale=$(curl -sS -H "$ACCEPT" \
  --data-urlencode "client_orderid=$ORDER" --data-urlencode 'order_desc=A cup & a saucer' \
  --data-urlencode 'amount=10.00' --data-urlencode 'currency=EUR' --data-urlencode "email=$EMAIL" \
  --data-urlencode 'address1=12 St James Square' --data-urlencode 'city=London' --data-urlencode 'zip_code=SW1Y 4JH' \
  --data-urlencode 'country=GB' --data-urlencode 'phone=+442079460000' --data-urlencode 'ipaddress=127.0.0.1' \
  --data-urlencode 'credit_card_number=4444444444444448' --data-urlencode 'card_printed_name=ADA LOVELACE' \
  --data-urlencode 'expire_month=12' --data-urlencode 'expire_year=2099' --data-urlencode 'cvv2=123' \
  --data-urlencode "server_callback_url=https://127.0.0.1:$CALLBACK_PORT/callback" \
  --data-urlencode "control=$(control_value "$ENDPOINT${ORDER}1000$EMAIL")" \
  "$BASE/api/v2/sale/$ENDPOINT")
order_id=$(field paynet-order-id "$sale")
[ -n "$order_id" ] || fail "$sale"
await_outcome "$ORDER" "$order_id"
[ "$outcome" = approved ] || fail "the sale was not approved"

# --- Its callback. Only status, orderid and merchant_order are signed: it is a reason to ask for the status, no more.

wait "$answering" || exit 1
parameter() { sed -n "s/^GET [^ ]*[?&]$1=\([^& ]*\).*/\1/p" "$place/callback"; }
expected=$(control_value "$(parameter status)$(parameter orderid)$(parameter merchant_order)")
[ "$(parameter merchant_order)" = "$ORDER" ] || fail "the callback is about another order"
[ "$(parameter control)" = "$expected" ] || fail "the callback's control value is wrong: do nothing with it"
echo "  callback: $(parameter status), its control value is right"

# --- A payout check, signed with RSA-SHA256 (sections 5.2 and 5.3).

# Percent-encoding of RFC 3986: everything but letters, digits and -._~ becomes %XX, byte by byte.
percent_encode() (
  LC_ALL=C
  rest=$1
  while [ -n "$rest" ]; do
    byte=${rest%"${rest#?}"}
    rest=${rest#?}
    case $byte in
      [A-Za-z0-9._~-]) printf '%s' "$byte" ;;
      *) printf '%s' "$byte" | od -An -v -tx1 | tr -d ' \n' | tr a-f A-F | sed 's/../%&/g' ;;
    esac
  done
)

# Prints the value of the Authorization header for an address and parameters in the form name=value.
authorization() {
  url=$1
  shift
  nonce=$(openssl rand -hex 16)
  timestamp=$(date +%s)
  # Encoded, sorted by name and then value, joined, and as a whole encoded once more.
  normalized=$(
    for parameter in "$@" "oauth_consumer_key=$LOGIN" "oauth_nonce=$nonce" "oauth_signature_method=RSA-SHA256" \
      "oauth_timestamp=$timestamp" oauth_version=1.0; do
      printf '%s=%s\n' "$(percent_encode "${parameter%%=*}")" "$(percent_encode "${parameter#*=}")"
    done | LC_ALL=C sort -t = -k 1,1 -k 2 | tr '\n' '&'
  )
  base="POST&$(percent_encode "$url")&$(percent_encode "${normalized%&}")"
  signature=$(printf '%s' "$base" | openssl dgst -sha256 -sign "$place/private.pem" | openssl base64 -A)
  printf 'OAuth oauth_consumer_key="%s", oauth_nonce="%s", oauth_signature="%s", oauth_signature_method="RSA-SHA256", ' \
    "$(percent_encode "$LOGIN")" "$nonce" "$(percent_encode "$signature")"
  printf 'oauth_timestamp="%s", oauth_version="1.0"' "$timestamp"
}

PAYOUT=payout-$(openssl rand -hex 4)
URL=$BASE/api/v4/payout-check/$ENDPOINT
echo "Payout check $PAYOUT"
set -- "client-order-id=$PAYOUT" 'amount=25.00' 'currency=EUR' 'order_desc=Prize (1st) & more*' \
  'account_number=DE02120300000000202051' 'bank_name=Bank of Zürich'
header=$(authorization "$URL" "$@")
check=$(
  # What is signed is what is sent.
  for parameter in "$@"; do set -- "$@" --data-urlencode "$parameter" && shift; done
  curl -sS -H "$ACCEPT" -H "Authorization: $header" "$@" "$URL"
)
payout_id=$(field paynet-order-id "$check")
[ -n "$payout_id" ] || fail "$check"
await_outcome "$PAYOUT" "$payout_id"
[ "$outcome" = approved ] || fail "the payout check was not approved"

echo 'Done: a sale, its callback and a payout check.'
