import { type CommandTree, type TreeOption, type Value, valuedNames } from '../command-tree.ts';
import { PRINTERS } from './shells.ts';

/** A completion script for bash 3.2 and later. Before 4.0, it also offers files for other values. */
export function bashCompletion({ name, globals, commands }: CommandTree): string {
  return `# bash completion for ${name}, printed by: ${name} completion bash

# Completes the words after a command.
_${name}_command() {
  case $1 in
${commands
  .map(
    ({ path, commands, options }) => `    '${path}')
      commands='${commands.map((command) => command.name).join(' ')}'
      flags='${flagNames(options).join(' ')}'
      valued='${valuedNames(options).join(' ')}'
      ;;
`,
  )
  .join('')}  esac
  flags+=' ${flagNames(globals).join(' ')}'
  valued+=' ${valuedNames(globals).join(' ')}'
}

# Completes the value of an option, or the argument at a position.
_${name}_value() {
  case $1 in
${commands
  .flatMap(({ path, options, arguments: args }) => [
    ...options.map(({ names, value }) =>
      branch(
        names.map((word) => `'${path} ${word}'`),
        value,
      ),
    ),
    ...args.map((arg, i) => branch([arg.variadic ? `'${path} '[${i}-9]*` : `'${path} ${i}'`], arg)),
  ])
  .concat(
    globals.map(({ names, value }) =>
      branch(
        names.map((word) => `*' ${word}'`),
        value,
      ),
    ),
  )
  .join('')}  esac
}

_${name}() {
  local at=${name} option='' words='' commands='' flags='' valued='' position=0
  local line=$COMP_LINE typed=() candidates=() n=-1 i word name
  COMPREPLY=()

  # Bash also breaks words at = : and @.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    [[ $i == 0 || $line == [[:space:]]* ]] && n=$((n + 1))
    line=\${line#"\${line%%[![:space:]]*}"}
    line=\${line#"\${COMP_WORDS[i]}"}
    typed[n]+=\${COMP_WORDS[i]}
  done

  _${name}_command "$at"
  for ((i = 1; i < n; i++)); do
    word=\${typed[i]}
    if [[ $option ]]; then
      option=''
    elif [[ " $valued " == *" $word "* ]]; then
      option=$word
    elif [[ $word == -?* ]]; then
      continue
    elif [[ $position == 0 && " $commands " == *" $word "* ]]; then
      at+=" $word"
      _${name}_command "$at"
    else
      position=$((position + 1))
    fi
  done
  word=\${typed[n]}
  [[ -z $option && $word == -*=* ]] && option=\${word%%=*}

  compopt +o default 2> /dev/null
  if [[ $2 == @* ]]; then
    compopt -o nospace 2> /dev/null
    while IFS= read -r name; do
      # Do not quote again inside quotes.
      [[ $word == *[\\'\\"]* ]] || printf -v name %q "$name"
      COMPREPLY+=("@$name")
    done < <(compgen -f -- "\${2#@}")
    return
  fi
  if [[ $option ]]; then
    _${name}_value "$at $option"
  elif [[ $word == -* ]]; then
    words="$flags $valued"
  else
    [[ $position == 0 ]] && words=$commands
    _${name}_value "$at $position"
  fi
  # Not compgen -W: it would expand and execute the words.
  IFS=$' \\t\\n' read -r -d '' -a candidates <<< "$words"
  for name in "\${candidates[@]}"; do
    [[ $name == "$2"* ]] && COMPREPLY+=("$name")
  done
}

complete -o default -F _${name} ${name}
`;
}

function flagNames(options: readonly TreeOption[]): string[] {
  return options.filter(({ value }) => !value).flatMap(({ names }) => names);
}

/** Sets the words to offer, or makes readline complete a path. */
function branch(patterns: readonly string[], value: Value | undefined): string {
  const action = value && actionOf(value);
  return action ? `    ${patterns.join(' | ')}) ${action} ;;\n` : '';
}

function actionOf({ kind }: Value): string | undefined {
  if (kind === 'text' || kind === '@file') return undefined;
  if (kind === 'file') return 'compopt -o default 2> /dev/null';
  if (kind === 'directory') return 'compopt -o dirnames 2> /dev/null';
  if (typeof kind === 'string') return `words+=" $(${PRINTERS[kind]} 2> /dev/null)"`;
  return `words+=' ${kind.join(' ')}'`;
}
