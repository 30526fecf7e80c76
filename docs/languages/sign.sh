#!/usr/bin/env bash
# Signs a request to the mobility open platform and sends it.
# Protocol 1.0: the common fields and the signature are part of the body.
#
# Run it with the secret in the variable MOP_API_SECRET: bash sign.sh
# It needs bash 4.4, GNU coreutils, openssl and curl 7.55.
set -euo pipefail
# In every locale, handle text as bytes of UTF-8.
export LC_ALL=C

URL='http://127.0.0.1:7800/open/v1/trade/bill'
# The sandbox: start it with `mop sandbox`, and set MOP_API_SECRET=sandbox-secret.
API_KEY='sandbox'
BODY='{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}'

# Bytes that never occur in UTF-8. A variable cannot hold U+0000: NUL replaces it. UTF-8 cannot
# encode half a surrogate pair: it stays an escape, and HALF replaces the backslash.
NUL=$'\xfe'
HALF=$'\xff'

# A backslash between brackets is an ordinary character.
STRING='"([^\"'$'\x01-\x1f'']|\\(["\/bfnrt]|u[0-9a-fA-F]{4}))*"'
NUMBER='-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?'
TOKEN="^[ "$'\t\r\n'"]*($STRING|$NUMBER|true|false|null|[][{}:,]|\$)"

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# Moves the next token from json to token; an empty token is the end.
next_token() {
  [[ $json =~ $TOKEN ]] || fail 'the body is not JSON'
  token=${BASH_REMATCH[1]}
  json=${json:${#BASH_REMATCH[0]}}
}

# Skips a token, which must be the given one.
expect() {
  [[ $token == "$1" ]] || fail "the body is not a JSON object: \"$1\" is missing"
  next_token
}

# Skips a comma. A value must follow it.
skip_comma() {
  if [[ $token == , ]]; then
    next_token
    [[ $token != '}' && $token != ']' ]] || fail 'the body is not JSON: a value is missing'
  elif [[ $token != "$1" ]]; then
    fail "the body is not JSON: \"$1\" is missing"
  fi
}

# Sets text to the characters of the string in token, and skips the token.
read_string() {
  [[ $token == \"* ]] || fail 'the body is not JSON: a string is missing'
  local escaped=${token:1:-1} code
  text=
  while [[ $escaped == *\\* ]]; do
    text+=${escaped%%\\*}
    escaped=${escaped#*\\}
    case $escaped in
      b*) text+=$'\b' ;;
      f*) text+=$'\f' ;;
      n*) text+=$'\n' ;;
      r*) text+=$'\r' ;;
      t*) text+=$'\t' ;;
      u*)
        code=$((16#${escaped:1:4}))
        escaped=${escaped:4}
        if ((code >= 0xd800 && code < 0xdc00)) && [[ $escaped == ?\\u[dD][c-fC-F]* ]]; then
          code=$((0x10000 + ((code - 0xd800) << 10) + 16#${escaped:3:4} - 0xdc00))
          escaped=${escaped:6}
        fi
        add_character "$code"
        ;;
      *) text+=${escaped:0:1} ;;
    esac
    escaped=${escaped:1}
  done
  text+=$escaped
  next_token
}

# Adds the character of a code point to text.
add_character() {
  local code=$1 bytes
  if ((code == 0)); then
    bytes=$NUL
  elif ((code < 0x80)); then
    printf -v bytes '\\x%x' "$code"
  elif ((code < 0x800)); then
    printf -v bytes '\\x%x' $((code >> 6 | 0xc0)) $((code & 0x3f | 0x80))
  elif ((code >= 0xd800 && code < 0xe000)); then
    printf -v bytes '%su%04x' "$HALF" "$code"
  elif ((code < 0x10000)); then
    printf -v bytes '\\x%x' $((code >> 12 | 0xe0)) $((code >> 6 & 0x3f | 0x80)) $((code & 0x3f | 0x80))
  else
    printf -v bytes '\\x%x' $((code >> 18 | 0xf0)) $((code >> 12 & 0x3f | 0x80)) \
      $((code >> 6 & 0x3f | 0x80)) $((code & 0x3f | 0x80))
  fi
  printf -v bytes %b "$bytes"
  text+=$bytes
}

# Sets quoted to a text as a string of compact JSON: most characters stay unescaped.
quote() {
  quoted=${1//\\/\\\\}
  quoted=${quoted//\"/\\\"}
  if [[ $quoted == *[$'\x01'-$'\x1f']* ]]; then
    local code character escape
    for code in {1..31}; do
      printf -v escape '\\u%04x' "$code"
      printf -v character %b "\\x${escape:4}"
      case $character in
        $'\b') escape='\b' ;;
        $'\f') escape='\f' ;;
        $'\n') escape='\n' ;;
        $'\r') escape='\r' ;;
        $'\t') escape='\t' ;;
      esac
      quoted=${quoted//"$character"/$escape}
    done
  fi
  quoted=${quoted//$NUL/\\u0000}
  quoted=\"${quoted//$HALF/\\}\"
}

# Reads a value, and adds it to value as compact JSON. For a string it sets text, too.
read_value() {
  case $token in
    '{') read_members ;;
    '[') read_items ;;
    \"*)
      read_string
      quote "$text"
      value+=$quoted
      ;;
    [-0-9tfn]*)
      value+=$token
      next_token
      ;;
    *) fail 'the body is not JSON: a value is missing' ;;
  esac
}

read_members() {
  expect '{'
  value+='{'
  while [[ $token != '}' ]]; do
    read_string
    quote "$text"
    value+=$quoted:
    expect :
    read_value
    [[ $token != , ]] || value+=,
    skip_comma '}'
  done
  value+='}'
  next_token
}

read_items() {
  expect '['
  value+='['
  while [[ $token != ']' ]]; do
    read_value
    [[ $token != , ]] || value+=,
    skip_comma ']'
  done
  value+=']'
  next_token
}

# Reads a JSON object into the arrays names, values (compact JSON) and texts (the signed form).
read_fields() {
  local json=$1 token name value text quoted start seen=$HALF
  names=() values=() texts=()
  next_token
  expect '{'
  while [[ $token != '}' ]]; do
    read_string
    name=$text
    require_whole_characters "$name"
    if [[ $seen == *"$HALF$name$HALF"* ]]; then
      quote "$name"
      fail "the field $quoted occurs twice"
    fi
    seen+=$name$HALF
    expect :
    start=$token value=
    read_value
    [[ $start == \"* ]] || text=$value
    require_whole_characters "$text"
    names+=("$name") values+=("$value") texts+=("$text")
    skip_comma '}'
  done
  next_token
  [[ -z $token ]] || fail 'the body is not JSON: unexpected text after the object'
}

require_whole_characters() {
  [[ $1 != *"$HALF"* ]] || fail 'the body has half a surrogate pair'
}

# Prints the MD5 of the sorted name=value pairs and the secret, in upper-case hex. The pairs are in
# the arrays signed_names and signed_texts.
signature() {
  local secret=$1 canonical='' index key record digest
  while IFS= read -r -d '' record; do
    canonical+="&${record#*$'\x01\x01'}"
  done < <(
    for index in "${!signed_names[@]}"; do
      sort_key "${signed_names[index]}"
      printf '%s\x01\x01%s=%s\0' "$key" "${signed_names[index]}" "${signed_texts[index]}"
    done | sort --zero-terminated
  )
  # printf is part of bash, so no process has the secret as an argument, which ps would show.
  digest=$(printf %s "${canonical:1}$secret" | tr '\376' '\000' | openssl md5 -r) ||
    fail 'openssl cannot compute an MD5 digest'
  digest=${digest:0:32}
  printf %s "${digest^^}"
}

# Sets key to bytes that sort as the UTF-16 code units of a name. In UTF-8, an emoji (lead byte F0)
# sorts after U+E000 to U+FFFF (lead bytes EE and EF). No key contains 01 01, which ends it.
sort_key() {
  key=${1//$'\x01'/$'\x01\x03'}
  key=${key//$NUL/$'\x01\x02'}
  key=${key//$'\xee'/$'\xf5'}
  key=${key//$'\xef'/$'\xf6'}
}

new_uuid() {
  local hex
  hex=$(openssl rand -hex 16) || fail 'openssl cannot generate random bytes'
  printf '%s-%s-4%s-%x%s-%s' "${hex:0:8}" "${hex:8:4}" "${hex:13:3}" \
    $((0x${hex:16:1} & 3 | 8)) "${hex:17:3}" "${hex:20}"
}

new_nonce() {
  local random
  random=$(openssl rand -base64 48) || fail 'openssl cannot generate random bytes'
  random=${random//[^A-Za-z0-9]/}
  printf %s "${random:0:10}"
}

# Signs a request: sign_body JSON API_KEY SECRET. Sets signed_json to the JSON to send: the fields
# in their order, missing common fields, and the signature.
sign_body() {
  local secret=$3 names values texts signed_names=() signed_texts=() present=' ' index quoted
  read_fields "$1"
  signed_json=
  for index in "${!names[@]}"; do
    case ${names[index]} in
      sign) continue ;;
      api_key | seq_id | timestamp | nonce)
        [[ ${values[index]} != null ]] || continue
        present+="${names[index]} "
        ;;
    esac
    add_field "${names[index]}" "${values[index]}" "${texts[index]}"
  done
  quote "$2"
  add_missing api_key "$quoted" "$2"
  local seq_id timestamp nonce
  seq_id=$(new_uuid)
  add_missing seq_id "\"$seq_id\"" "$seq_id"
  printf -v timestamp '%(%s)T' -1
  add_missing timestamp "$timestamp" "$timestamp"
  nonce=$(new_nonce)
  add_missing nonce "\"$nonce\"" "$nonce"
  signed_json="{$signed_json\"sign\":\"$(signature "$secret")\"}"
}

# Adds a field to signed_json and, unless it is null, to the signature.
add_field() {
  quote "$1"
  signed_json+=$quoted:$2,
  if [[ $2 != null ]]; then
    signed_names+=("$1") signed_texts+=("$3")
  fi
}

add_missing() {
  [[ $present == *" $1 "* ]] || add_field "$@"
}

# Sends a request and prints the answer: post URL JSON HEADER...
post() {
  local url=$1 json=$2 answer status
  shift 2
  # For an empty value, curl needs "Name;". The signature is not an argument of a process either.
  answer=$(printf %s "$json" | curl --silent --show-error --globoff --http1.1 --max-time 30 \
    --header 'Content-Type: application/json' --header @<(printf '%s\n' "${@/%: /;}") \
    --data-binary @- --write-out '\n%{http_code}' "$url" 2>&1) || fail "${answer%%$'\n'*}"
  status=${answer##*$'\n'}
  printf '%s\n' "${answer%$'\n'*}"
  if ((status >= 400)); then
    fail "HTTP status $status"
  fi
}

main() {
  local secret=${MOP_API_SECRET:-}
  [[ -n $secret ]] || fail 'set MOP_API_SECRET to the API secret'
  sign_body "$BODY" "$API_KEY" "$secret"
  post "$URL" "$signed_json"
}

if [[ ${BASH_SOURCE[0]-$0} == "$0" ]]; then
  main
fi
