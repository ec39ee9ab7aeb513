#!/usr/bin/env bash
# Logs in with curl over all four transports, by HTTP Basic and by a client certificate.
set -euo pipefail

# check NAME STATUS CURL-OPTION ...
check() {
  local name=$1 wanted=$2 found envelope=http://schemas.xmlsoap.org/soap/envelope/ type='text/xml; charset=utf-8'
  shift 2
  case $TRANSPORT in
    soap11 | soap12)
      if [ "$TRANSPORT" = soap12 ]; then
        envelope=http://www.w3.org/2003/05/soap-envelope
        type='application/soap+xml; charset=utf-8'
      fi
      found=$(curl -sS -o answer -w '%{http_code}' --cacert "$CA" "$@" -H "Content-Type: $type" --data-binary \
        "<s:Envelope xmlns:s=\"$envelope\"><s:Body><GetDoctor xmlns=\"http://tempuri.org/\"><centerid>1</centerid></GetDoctor></s:Body></s:Envelope>" \
        "$ENDPOINT")
      ;;
    httpGet) found=$(curl -sS -o answer -w '%{http_code}' --cacert "$CA" "$@" "$ENDPOINT/GetDoctor?centerid=1") ;;
    httpPost) found=$(curl -sS -o answer -w '%{http_code}' --cacert "$CA" "$@" -d centerid=1 "$ENDPOINT/GetDoctor") ;;
  esac
  local ok=true
  if [ "$found" != "$wanted" ] || { [ "$wanted" = 200 ] && ! grep -q 'Dr. Asha Rao' answer; }; then ok=false; fi
  printf '{"operation":"GetDoctor","transport":"%s","check":"%s","ok":%s,"detail":"%s"}\n' "$TRANSPORT" "$name" "$ok" "$found"
}

check 'HTTP Basic' 200 -u "$BASIC_USER:$PASSWORD"
check 'HTTP Basic, wrong' 401 -u "$BASIC_USER:${PASSWORD}x"
check 'certificate' 200 --cert "$CLIENT_CERT" --key "$CLIENT_KEY"
check 'nothing' 401
