# bash completion for mop, printed by: mop completion bash

# Completes the words after a command.
_mop_command() {
  case $1 in
    'mop')
      commands='sign bill account decode estimate call errors detect health gql config doctor proxy sandbox completion version help'
      flags='-V --version -h --help'
      valued=''
      ;;
    'mop sign')
      commands='explain verify'
      flags='--no-nonce -h --help'
      valued='-F --field -f --raw-field --form --file --mode -H --header --null-as --timestamp-unit --timestamp --nonce --seq-id --url --path --as --batch'
      ;;
    'mop sign explain')
      commands=''
      flags='--no-nonce -h --help'
      valued='-F --field -f --raw-field --form --file --mode -H --header --null-as --timestamp-unit --timestamp --nonce --seq-id --url --path --reading'
      ;;
    'mop sign verify')
      commands=''
      flags='--all --last --open -h --help'
      valued='-H --header --entry --now --max-skew --reading --effort --theirs --save-vector'
      ;;
    'mop bill')
      commands='fetch info verify status summary compare compact'
      flags='-h --help'
      valued=''
      ;;
    'mop bill fetch')
      commands=''
      flags='--missing --all-profiles --keep-gzip --overwrite --accept-unverified --force --require-hash --accept-unknown-hash --accept-any-content --keep-going -h --help'
      valued='--from --to --last --type --shard -o --out --name --tar --mode --concurrency --max-bytes --wait --download-header'
      ;;
    'mop bill info')
      commands=''
      flags='--force -h --help'
      valued='--type --tar --mode'
      ;;
    'mop bill verify')
      commands=''
      flags='--all-profiles -h --help'
      valued='--hash-value --hash-type -o --bills'
      ;;
    'mop bill status')
      commands=''
      flags='--all-profiles --check --missing --exit-code -h --help'
      valued='-o --bills --type --since --prometheus'
      ;;
    'mop bill summary')
      commands=''
      flags='--no-header -h --help'
      valued='--by --sum --where --type -o --bills --from --to --last --encoding --delimiter --header-line --decimal --sheet'
      ;;
    'mop bill compare')
      commands=''
      flags='--net --ignore-zeros --ignore-case --ignore-format --no-header --bom -h --help'
      valued='--with --key --amount --tolerance --factor --blank --where --records-where --type -o --bills --from --to --last --encoding --delimiter --header-line --decimal --sheet --limit --out'
      ;;
    'mop bill compact')
      commands=''
      flags='-h --help'
      valued='-o --bills'
      ;;
    'mop account')
      commands='link find list unlink'
      flags='-h --help'
      valued=''
      ;;
    'mop account link')
      commands=''
      flags='--move -h --help'
      valued='--user --encrypt-data --encrypt-id --openid --mobile --mode'
      ;;
    'mop account find')
      commands=''
      flags='-h --help'
      valued='--user --openid --mobile'
      ;;
    'mop account list')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop account unlink')
      commands=''
      flags='-h --help'
      valued='--user --openid'
      ;;
    'mop decode')
      commands=''
      flags='--raw --keep-going -h --help'
      valued='--batch --concurrency --mode'
      ;;
    'mop estimate')
      commands=''
      flags='--no-nonce -h --help'
      valued='--city --lat -F --field -f --raw-field --mode -H --header --null-as --timestamp-unit'
      ;;
    'mop call')
      commands=''
      flags='--keep-going --no-nonce --envelope -h --help'
      valued='-F --field -f --raw-field --form --file --batch --concurrency --mode -H --header --null-as --timestamp-unit --max-response'
      ;;
    'mop errors')
      commands=''
      flags='-h --help'
      valued='--lang'
      ;;
    'mop detect')
      commands=''
      flags='--lines --keep-going --as-is --include-text --rewrite -h --help'
      valued='--field --batch --concurrency --fail-on --fail-score --levels --junit --sarif -H --header'
      ;;
    'mop health')
      commands=''
      flags='-h --help'
      valued='--wait --min-rules --expect-version -H --header'
      ;;
    'mop gql')
      commands='validate schema diff run help'
      flags='--refresh --assume-valid-schema --get --paginate --raw --allow-partial --stream -h --help'
      valued='-F --field -f --raw-field --upload --variables --operation --schema --endpoint -H --header --transport --count --connection-params --max-response'
      ;;
    'mop gql validate')
      commands=''
      flags='--refresh --assume-valid-schema -h --help'
      valued='--schema --endpoint -H --header'
      ;;
    'mop gql schema')
      commands=''
      flags='--assume-valid-schema -h --help'
      valued='--as --endpoint -H --header'
      ;;
    'mop gql diff')
      commands=''
      flags='--allow-deprecated-removal --assume-valid-schema -h --help'
      valued='-H --header'
      ;;
    'mop gql run')
      commands=''
      flags='--refresh --assume-valid-schema --raw --allow-partial -h --help'
      valued='--schema --data -F --field -f --raw-field --variables --operation'
      ;;
    'mop gql help')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config')
      commands='init set get unset list path profiles use copy-profile rename-profile delete-profile'
      flags='-h --help'
      valued=''
      ;;
    'mop config init')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config set')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config get')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config unset')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config list')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config path')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config profiles')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config use')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config copy-profile')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config rename-profile')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop config delete-profile')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop doctor')
      commands=''
      flags='--all-profiles -h --help'
      valued='--mode'
      ;;
    'mop proxy')
      commands=''
      flags='--allow-remote --sign-all --log -h --help'
      valued='--host --port --allow-origin --record'
      ;;
    'mop sandbox')
      commands='debugger encrypt records'
      flags='--allow-remote --log -h --help'
      valued='--host --port --allow-origin --rows --fault --reading'
      ;;
    'mop sandbox debugger')
      commands=''
      flags='-h --help'
      valued='--lang'
      ;;
    'mop sandbox encrypt')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop sandbox records')
      commands=''
      flags='-h --help'
      valued='--differences --type --rows'
      ;;
    'mop completion')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop version')
      commands=''
      flags='-h --help'
      valued=''
      ;;
    'mop help')
      commands=''
      flags='-h --help'
      valued=''
      ;;
  esac
  flags+=' --json -q --quiet -v --verbose --debug --no-color --dry-run --reveal'
  valued+=' -p --profile --env --api-key --secret-file --timeout --max-time --retries --proxy --ca-file'
}

# Completes the value of an option, or the argument at a position.
_mop_value() {
  case $1 in
    'mop sign --mode') words+=' body header' ;;
    'mop sign --null-as') words+=' empty omit text' ;;
    'mop sign --timestamp-unit') words+=' s ms' ;;
    'mop sign --path') compopt -o default 2> /dev/null ;;
    'mop sign --as') words+=' body headers curl sign json python go java php node ruby csharp bash' ;;
    'mop sign --batch') compopt -o default 2> /dev/null ;;
    'mop sign explain --mode') words+=' body header' ;;
    'mop sign explain --null-as') words+=' empty omit text' ;;
    'mop sign explain --timestamp-unit') words+=' s ms' ;;
    'mop sign explain --path') compopt -o default 2> /dev/null ;;
    'mop sign verify --effort') words+=' low normal high' ;;
    'mop sign verify --save-vector') compopt -o default 2> /dev/null ;;
    'mop bill fetch --from') words+=" $(mop config dates 2> /dev/null)" ;;
    'mop bill fetch --to') words+=" $(mop config dates 2> /dev/null)" ;;
    'mop bill fetch --type') words+=' all paid refund' ;;
    'mop bill fetch -o' | 'mop bill fetch --out') compopt -o default 2> /dev/null ;;
    'mop bill fetch --tar') words+=' stream gzip' ;;
    'mop bill fetch --mode') words+=' body header' ;;
    'mop bill fetch '[0-9]*) words+=" $(mop config dates 2> /dev/null)" ;;
    'mop bill info --type') words+=' all paid refund' ;;
    'mop bill info --tar') words+=' stream gzip' ;;
    'mop bill info --mode') words+=' body header' ;;
    'mop bill info 0') words+=" $(mop config dates 2> /dev/null)" ;;
    'mop bill verify --hash-type') words+=' MD5 SHA-1 SHA-256 SHA-512 SM3' ;;
    'mop bill verify -o' | 'mop bill verify --bills') compopt -o dirnames 2> /dev/null ;;
    'mop bill verify '[0-9]*) compopt -o default 2> /dev/null ;;
    'mop bill status -o' | 'mop bill status --bills') compopt -o dirnames 2> /dev/null ;;
    'mop bill status --type') words+=' all paid refund' ;;
    'mop bill status --since') words+=" $(mop config dates 2> /dev/null)" ;;
    'mop bill status --prometheus') compopt -o default 2> /dev/null ;;
    'mop bill status 0') compopt -o dirnames 2> /dev/null ;;
    'mop bill summary --type') words+=' all paid refund' ;;
    'mop bill summary -o' | 'mop bill summary --bills') compopt -o dirnames 2> /dev/null ;;
    'mop bill summary --from') words+=" $(mop config dates 2> /dev/null)" ;;
    'mop bill summary --to') words+=" $(mop config dates 2> /dev/null)" ;;
    'mop bill summary --encoding') words+=' utf-8 gb18030 utf-16le utf-16be windows-1252' ;;
    'mop bill summary --decimal') words+=' , .' ;;
    'mop bill compare --with') compopt -o default 2> /dev/null ;;
    'mop bill compare --type') words+=' all paid refund' ;;
    'mop bill compare -o' | 'mop bill compare --bills') compopt -o dirnames 2> /dev/null ;;
    'mop bill compare --from') words+=" $(mop config dates 2> /dev/null)" ;;
    'mop bill compare --to') words+=" $(mop config dates 2> /dev/null)" ;;
    'mop bill compare --encoding') words+=' utf-8 gb18030 utf-16le utf-16be windows-1252' ;;
    'mop bill compare --decimal') words+=' , .' ;;
    'mop bill compare --out') compopt -o default 2> /dev/null ;;
    'mop bill compact -o' | 'mop bill compact --bills') compopt -o dirnames 2> /dev/null ;;
    'mop bill compact 0') compopt -o dirnames 2> /dev/null ;;
    'mop account link --mode') words+=' body header' ;;
    'mop decode --batch') compopt -o default 2> /dev/null ;;
    'mop decode --mode') words+=' body header' ;;
    'mop estimate --mode') words+=' body header' ;;
    'mop estimate --null-as') words+=' empty omit text' ;;
    'mop estimate --timestamp-unit') words+=' s ms' ;;
    'mop call --batch') compopt -o default 2> /dev/null ;;
    'mop call --mode') words+=' body header' ;;
    'mop call --null-as') words+=' empty omit text' ;;
    'mop call --timestamp-unit') words+=' s ms' ;;
    'mop call 0') words+=' /trade/bill /param/decode /takecar/estimate/price /user/sync' ;;
    'mop errors --lang') words+=' en zh' ;;
    'mop errors 0') words+=' 0 -1 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1050 1051 1052 1053 1054 1055 1056 2000 2001 2002 2003 2004 2005 2006 2301 2302 2303' ;;
    'mop detect --field') compopt -o default 2> /dev/null ;;
    'mop detect --batch') compopt -o default 2> /dev/null ;;
    'mop detect --fail-on') words+=' none low medium high critical' ;;
    'mop detect --junit') compopt -o default 2> /dev/null ;;
    'mop detect --sarif') compopt -o default 2> /dev/null ;;
    'mop gql --schema') compopt -o default 2> /dev/null ;;
    'mop gql --transport') words+=' sse ws' ;;
    'mop gql validate --schema') compopt -o default 2> /dev/null ;;
    'mop gql validate '[0-9]*) compopt -o default 2> /dev/null ;;
    'mop gql schema --as') words+=' sdl json' ;;
    'mop gql schema 0') compopt -o default 2> /dev/null ;;
    'mop gql run --schema') compopt -o default 2> /dev/null ;;
    'mop gql run --data') compopt -o default 2> /dev/null ;;
    'mop gql help 0') words+=' kinds scalars types modifiers definitions fields comments arguments aliases fragments inline-fragments operation-names variables default-variables directives include skip mutations subscriptions typename results' ;;
    'mop config set 0') words+=' environment api_key api_secret api_secret_file api_secret_command base_url test_base_url open_base_url open_test_base_url detect_url gql_url timezone bill_dir bill_name bill_file_mode bill_content bill_late_hours bill_auth_header mode detect_levels compare_key compare_amount compare_encoding compare_delimiter compare_where compare_records_where compare_factor compare_net compare_blank bill_ready_time no_bill_codes' ;;
    'mop config get 0') words+=' environment api_key api_secret api_secret_file api_secret_command base_url test_base_url open_base_url open_test_base_url detect_url gql_url timezone bill_dir bill_name bill_file_mode bill_content bill_late_hours bill_auth_header mode detect_levels compare_key compare_amount compare_encoding compare_delimiter compare_where compare_records_where compare_factor compare_net compare_blank bill_ready_time no_bill_codes' ;;
    'mop config unset 0') words+=' environment api_key api_secret api_secret_file api_secret_command base_url test_base_url open_base_url open_test_base_url detect_url gql_url timezone bill_dir bill_name bill_file_mode bill_content bill_late_hours bill_auth_header mode detect_levels compare_key compare_amount compare_encoding compare_delimiter compare_where compare_records_where compare_factor compare_net compare_blank bill_ready_time no_bill_codes' ;;
    'mop config use 0') words+=" $(mop config profiles --quiet 2> /dev/null)" ;;
    'mop config copy-profile 0') words+=" $(mop config profiles --quiet 2> /dev/null)" ;;
    'mop config rename-profile 0') words+=" $(mop config profiles --quiet 2> /dev/null)" ;;
    'mop config delete-profile 0') words+=" $(mop config profiles --quiet 2> /dev/null)" ;;
    'mop doctor --mode') words+=' body header' ;;
    'mop proxy --record') compopt -o default 2> /dev/null ;;
    'mop sandbox --fault') words+=' code http latency drop truncate corrupt expire no-hash hash-type slow skew' ;;
    'mop sandbox debugger --lang') words+=' en zh' ;;
    'mop sandbox records --type') words+=' all paid refund' ;;
    'mop sandbox records 0') words+=" $(mop config dates 2> /dev/null)" ;;
    'mop completion 0') words+=' bash zsh fish powershell' ;;
    'mop help 0') words+=' sign bill account decode estimate call errors detect health gql config doctor proxy sandbox completion version help exit-codes environment signing scheduling settings readings' ;;
    'mop help '[1-9]*) words+=' explain verify fetch info status summary compare compact link find list unlink validate schema diff run help init set get unset path profiles use copy-profile rename-profile delete-profile debugger encrypt records' ;;
    *' -p' | *' --profile') words+=" $(mop config profiles --quiet 2> /dev/null)" ;;
    *' --env') words+=' production test sandbox' ;;
    *' --secret-file') compopt -o default 2> /dev/null ;;
    *' --ca-file') compopt -o default 2> /dev/null ;;
  esac
}

_mop() {
  local at=mop option='' words='' commands='' flags='' valued='' position=0
  local line=$COMP_LINE typed=() candidates=() n=-1 i word name
  COMPREPLY=()

  # Bash also breaks words at = : and @.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    [[ $i == 0 || $line == [[:space:]]* ]] && n=$((n + 1))
    line=${line#"${line%%[![:space:]]*}"}
    line=${line#"${COMP_WORDS[i]}"}
    typed[n]+=${COMP_WORDS[i]}
  done

  _mop_command "$at"
  for ((i = 1; i < n; i++)); do
    word=${typed[i]}
    if [[ $option ]]; then
      option=''
    elif [[ " $valued " == *" $word "* ]]; then
      option=$word
    elif [[ $word == -?* ]]; then
      continue
    elif [[ $position == 0 && " $commands " == *" $word "* ]]; then
      at+=" $word"
      _mop_command "$at"
    else
      position=$((position + 1))
    fi
  done
  word=${typed[n]}
  [[ -z $option && $word == -*=* ]] && option=${word%%=*}

  compopt +o default 2> /dev/null
  if [[ $2 == @* ]]; then
    compopt -o nospace 2> /dev/null
    while IFS= read -r name; do
      # Do not quote again inside quotes.
      [[ $word == *[\'\"]* ]] || printf -v name %q "$name"
      COMPREPLY+=("@$name")
    done < <(compgen -f -- "${2#@}")
    return
  fi
  if [[ $option ]]; then
    _mop_value "$at $option"
  elif [[ $word == -* ]]; then
    words="$flags $valued"
  else
    [[ $position == 0 ]] && words=$commands
    _mop_value "$at $position"
  fi
  # Not compgen -W: it would expand and execute the words.
  IFS=$' \t\n' read -r -d '' -a candidates <<< "$words"
  for name in "${candidates[@]}"; do
    [[ $name == "$2"* ]] && COMPREPLY+=("$name")
  done
}

complete -o default -F _mop mop
