# Signs cases with the functions of sign.sh; cases.ts describes its input and output.
source ./sign.sh

mode=$1

encoded() {
  printf %s "$1" | base64 --wrap=0
}

# Random digits without a process for each case: the whole program runs the real one.
openssl() {
  if [[ $1 == rand ]]; then
    printf '%08x%08x%08x%08x' $SRANDOM $SRANDOM $SRANDOM $SRANDOM
  else
    command openssl "$@"
  fi
}

# Prints the line of a case: signed BODY API_KEY SECRET HEADERS
signed() {
  local headers=()
  if [[ $mode == body ]]; then
    sign_body "$1" "$2" "$3"
    encoded "$signed_json"
  else
    [[ -z $4 ]] || mapfile -t headers <<<"$4"
    sign_headers "$1" "$2" "$3" "${headers[@]}"
    encoded "$signed_json"
    printf '\t'
    local IFS=$'\n'
    encoded "${signed_headers[*]}"
  fi
}

# AA== is a null byte in Base64. It ends each field, so that one process decodes all of them.
sed -e 's/\t/AA==/g' -e 's/$/AA==/' | base64 --decode |
  while IFS= read -r -d '' body && IFS= read -r -d '' key && IFS= read -r -d '' secret &&
    IFS= read -r -d '' headers; do
    if outcome=$(signed "$body" "$key" "$secret" "$headers" 2>&1); then
      printf '%s\n' "$outcome"
    else
      printf 'error\t%s\n' "$(encoded "${outcome#error: }")"
    fi
  done
