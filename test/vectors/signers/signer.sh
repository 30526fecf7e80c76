#!/usr/bin/env bash
# A signer with the habits of shell scripts (jq and openssl). Reads jobs from stdin, writes what it
# signed to stdout.
set -euo pipefail
export LC_ALL=C.UTF-8

# The steps, right as they stand; a habit replaces one of them.

# One JSON list of name and value for each header and field
entries() {
  jq -c '(.headers[] | select(.[0] | startswith("X-TMS-"))),
    (.mode as $mode | .body | fromjson | to_entries[]
      | select($mode == "header" or .value != null) | [.key, .value // ""])' <<<"$job"
}
fields() { entries; }
lines() { jq -r '"\(.[0])=\(.[1] | tostring)"'; }
joined() { paste -sd '&' | tr -d '\n'; }
canonical() { fields | lines | LC_ALL=C sort | joined; }
sealed() { printf '%s%s' "$src1" "$secret"; }
digest() { openssl md5 -r | cut -c 1-32; }
written() { tr a-f A-F; }

habit() {
  case $1 in
    # echo adds a newline behind the secret
    echo) sealed() { echo "$src1$secret"; } ;;
    # A misspelled variable is empty
    secret-unset) sealed() { printf '%s%s' "$src1" "${api_secert:-}"; } ;;
    # Null is a value like any other for jq
    null-as-text) fields() { jq -c '.body | fromjson | to_entries[] | [.key, .value]' <<<"$job"; } ;;
    # date +%s%3N is signed, its first ten digits are sent
    date-millis) fields() { entries | jq -c 'if .[0] == "X-TMS-Timestamp" then .[1] += "064" else . end'; } ;;
    # One pair on each line, and $(…) drops the last newline
    newline-joined) joined() { head -c -1; } ;;
    # The text of the body in place of the pairs
    jq-body) canonical() { jq -r .body <<<"$job" | jq -cS . | tr -d '\n'; } ;;
    # iconv -c drops what the charset does not hold
    iconv-ascii) digest() { iconv -c -f UTF-8 -t ASCII | openssl md5 -r | cut -c 1-32; } ;;
    lower) written() { cat; } ;;
    # Other versions of openssl print MD5(stdin)=
    openssl-md5) written() { sed 's/^/(stdin)= /'; } ;;
    *) echo "unknown habit $1" >&2; exit 1 ;;
  esac
}

sign() (
  job=$1
  secret=$(jq -r .secret <<<"$job")
  for name in $(jq -r '.habits[]' <<<"$job"); do habit "$name"; done
  src1=$(canonical)
  jq -cn --arg canonical "$src1" --arg sign "$(sealed | digest | written)" '$ARGS.named'
)

jq -c '.[]' | while IFS= read -r one; do sign "$one"; done | jq -cs .
