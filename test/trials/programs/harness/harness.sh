# Signs cases by the functions of sign.sh: see cases.ts for the lines it reads and writes.
source ./sign.sh

encoded() {
  base64 --wrap=0
}

# Prints a field. The x keeps the line feeds at its end, which $() drops.
decoded() {
  base64 --decode <<<"$1"
  printf x
}

signed() {
  local headers
  if [[ $mode == body ]]; then
    sign_body "$1" "$2" "$3"
    printf %s "$signed_json" | encoded
  else
    mapfile -t headers <<<"$4"
    [[ -n $4 ]] || headers=()
    sign_headers "$1" "$2" "$3" "${headers[@]}"
    printf %s "$signed_json" | encoded
    printf '\t'
    printf '%s\n' "${signed_headers[@]}" | encoded
  fi
}

mode=$1
while IFS= read -r line; do
  fields=()
  while IFS= read -r field; do
    text=$(decoded "$field")
    fields+=("${text%x}")
  done <<<"${line//$'\t'/$'\n'}"
  if outcome=$(signed "${fields[@]}" 2>&1); then
    printf '%s\n' "$outcome"
  else
    printf 'error\t%s\n' "$(printf %s "${outcome#error: }" | encoded)"
  fi
done
