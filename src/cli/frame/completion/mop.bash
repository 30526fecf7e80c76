# bash completion for mop (bash 3.2 and later), printed by: mop completion bash
# Before bash 4.0, files are offered for other values too.

# Sets plain to a typed word without its quotes, and quote to the quotation that is still open.
_mop_unquote() {
  local rest=$1 character
  plain='' quote=''
  while [[ $rest ]]; do
    character=${rest:0:1} rest=${rest:1}
    if [[ $character == "$quote" ]]; then
      quote=''
    elif [[ -z $quote && $character == [\'\"] ]]; then
      quote=$character
    elif [[ $character == \\ && ( -z $quote || $quote == \" && $rest == [\"\\\$\`]* ) ]]; then
      plain+=${rest:0:1} rest=${rest:1}
    else
      plain+=$character
    fi
  done
}

# Offers a word, without the part before the cursor that bash keeps, and quoted: the word is data.
_mop_offer() {
  local word=${1#"$kept"}
  case $quote in
    \') word=${word//\'/\'\\\'\'} ;;
    \")
      # Within this quotation, bash cannot escape an exclamation mark.
      [[ $word == *!* ]] && return
      word=${word//\\/\\\\} word=${word//\"/\\\"} word=${word//\$/\\\$} word=${word//\`/\\\`}
      ;;
    *) printf -v word %q "$word" ;;
  esac
  COMPREPLY+=("$word")
}

_mop() {
  local line=${COMP_LINE:0:COMP_POINT} typed=('') words=() n=0
  local i current kept kind prefix value description plain quote
  COMPREPLY=()

  # bash also breaks words at = : and @, so read them from the line.
  for ((i = 0; i < COMP_CWORD; i++)); do
    line=${line#"${line%%[![:space:]]*}"}
    line=${line#"${COMP_WORDS[i]}"}
    typed[n]+=${COMP_WORDS[i]}
    [[ $line == [[:space:]]* ]] && typed[n+=1]=''
  done
  typed[n]+=${line#"${line%%[![:space:]]*}"}
  for ((i = 1; i <= n; i++)); do
    _mop_unquote "${typed[i]}"
    words+=("$plain")
  done
  current=$plain
  _mop_unquote "${typed[n]%"$2"}"
  kept=$plain

  {
    IFS=$'\t' read -r kind prefix
    # Not compgen -W: it would expand and execute the words.
    while IFS=$'\t' read -r value description; do
      [[ $value == "$current"* ]] && _mop_offer "$value"
    done
  } < <(command mop __complete "${words[@]}" 2> /dev/null < /dev/null)

  compopt +o default 2> /dev/null
  case $kind in
    nospace) compopt -o nospace 2> /dev/null ;;
    files | directories)
      if [[ ${#COMPREPLY[@]} != 0 ]]; then
        # Files beside the candidates, such as a bill that is named after its date.
        while IFS= read -r value; do
          _mop_offer "$prefix$value"
        done < <(compgen -f -- "${current#"$prefix"}")
      elif [[ $kept != "$prefix" ]]; then
        compopt -o nospace 2> /dev/null
        while IFS= read -r value; do
          _mop_offer "$prefix$value"
        done < <(compgen -f -- "${current#"$prefix"}")
      elif [[ $kind == files ]]; then
        compopt -o default 2> /dev/null
      else
        compopt -o dirnames 2> /dev/null
      fi
      ;;
  esac
}

complete -o default -F _mop mop
