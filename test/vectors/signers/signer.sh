#!/usr/bin/env bash
# A signer with the habits of shell scripts (jq and openssl). Reads jobs from stdin and writes
# the results to stdout.
set -euo pipefail
export LC_ALL=C.UTF-8

# The steps of a correct signer; a habit replaces one of them.

# Prints a JSON list of name and value for each header and field
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
    # echo adds a newline after the secret
    echo) sealed() { echo "$src1$secret"; } ;;
    # A misspelled variable is empty
    secret-unset) sealed() { printf '%s%s' "$src1" "${api_secert:-}"; } ;;
    # jq prints null like any other value
    null-as-text) fields() { jq -c '.body | fromjson | to_entries[] | [.key, .value]' <<<"$job"; } ;;
    # date +%s%3N is signed, but only its first ten digits are sent
    date-millis) fields() { entries | jq -c 'if .[0] == "X-TMS-Timestamp" then .[1] += "064" else . end'; } ;;
    # Prints one pair a line; $(…) drops the last newline
    newline-joined) joined() { head -c -1; } ;;
    # The text of the body instead of the pairs
    jq-body) canonical() { jq -r .body <<<"$job" | jq -cS . | tr -d '\n'; } ;;
    # iconv -c drops characters that the charset does not contain
    iconv-ascii) digest() { iconv -c -f UTF-8 -t ASCII | openssl md5 -r | cut -c 1-32; } ;;
    lower) written() { cat; } ;;
    # Some versions of openssl print (stdin)= before the digest
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
