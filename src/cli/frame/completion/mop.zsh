#compdef mop
# zsh completion for mop, printed by: mop completion zsh
# Save it in $fpath as _mop, or source it after compinit.

_mop() {
  local -a lines described
  local line value head kind prefix ret=1
  # (Q) removes quotes and expands nothing.
  lines=("${(@f)$(command mop __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null < /dev/null)}")
  head=$lines[1]
  kind=${head%%$'\t'*}
  prefix=${${head#$kind}#$'\t'}
  for line in "${(@)lines[2,-1]}"; do
    value=${line%%$'\t'*}
    # _describe separates a word from its description with a colon.
    described+=("${${value//\\/\\\\}//:/\\:}${${line#"$value"}/$'\t'/:}")
  done
  if (( $#described )); then
    if [[ $kind == nospace ]]; then
      _describe value described -S '' && ret=0
    else
      _describe value described && ret=0
    fi
  fi
  if [[ $kind == (files|directories) ]] && { [[ -z $prefix ]] || compset -P "${(b)prefix}" }; then
    if [[ $kind == files ]]; then
      _files && ret=0
    else
      _files -/ && ret=0
    fi
  fi
  return ret
}

if [[ $funcstack[1] == _mop ]]; then
  _mop "$@"
else
  compdef _mop mop
fi
