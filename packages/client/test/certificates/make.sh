#!/bin/sh
# Makes the certificates of the tests anew, for 127.0.0.1 and for a hundred years. TEST ONLY: their keys are published.
set -eu
cd "$(dirname "$0")"
key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
openssl req -x509 $key -keyout ca.key -out ca.pem -days 36500 -subj '/CN=Test authority'
issue() {
  openssl req $key -keyout "$1.key" -out "$1.csr" -subj "/CN=$1"
  printf '%s\n' "$2" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 36500 -extfile "$1.ext" -out "$1.pem"
  rm "$1.csr" "$1.ext"
}
issue server subjectAltName=IP:127.0.0.1
issue client extendedKeyUsage=clientAuth
rm ca.key ca.srl
