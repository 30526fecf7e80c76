import type { CommandTree, CompletedCommand, CompletedOption, Value } from './tree.ts';

/** A completion script for zsh, to lie in `$fpath` as `_NAME` or to be sourced after `compinit`. */
export function zshCompletion({ name, globals, commands }: CommandTree): string {
  const groups = commands.filter((command) => command.commands.length > 0);
  const valued = [
    ...wordsOfValued(globals).map((word) => `*' ${word}'`),
    ...groups.flatMap(({ path, options }) =>
      wordsOfValued(options).map((word) => `'${path} ${word}'`),
    ),
  ];
  const subcommands = groups.flatMap((group) =>
    group.commands.map((command) => `'${group.path} ${command.name}'`),
  );
  return `#compdef ${name}
# zsh completion for ${name}, printed by: ${name} completion zsh

_${name}() {
  local at=${name} i=2
  local -a specs subcommands

  # Takes the names of commands out, so that options and arguments are left for _arguments.
  while (( i < CURRENT )); do
    case "$at $words[i]" in
      ${valued.join(' | ')}) (( i += 2 )) ;;
      *' -'?*) (( i += 1 )) ;;
      ${subcommands.join(' | ')})
        at+=" $words[i]"
        words[i]=()
        (( CURRENT -= 1 ))
        ;;
      *) break ;;
    esac
  done

  case $at in
${commands.map(branch).join('')}  esac
  specs+=(
${lines(globals.map(optionSpec))}  )
  _arguments -s -S : $specs
}

if [[ $funcstack[1] == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function branch({ path, options, commands, arguments: args }: CompletedCommand): string {
  const list = commands.map(({ name, description }) => quote(`${name}:${description}`));
  return `    ${quote(path)})
      subcommands=(
${lines(list)}      )
      specs=(
${lines([...options.map(optionSpec), ...argumentSpecs(args, commands.length > 0)])}      )
      ;;
`;
}

/** One that stands alone is offered once. */
function optionSpec({ names, description, value }: CompletedOption): string {
  const mark = value ? '*' : names.length > 1 ? `(${names.join(' ')})` : '';
  const words = names.map((name) => `${name}${value ? (name.startsWith('--') ? '=' : '+') : ''}`);
  const rest = `[${escape(description)}]${value ? `:${escape(value.name)}:${action(value)}` : ''}`;
  if (words.length === 1) return quote(`${mark}${words}${rest}`);
  return `${quote(mark)}{${words.join(',')}}${quote(rest)}`;
}

function argumentSpecs(args: CompletedCommand['arguments'], isGroup: boolean): string[] {
  const subcommands = '_describe command subcommands';
  if (isGroup && args.length === 0) return [quote(`1:command:{${subcommands}}`)];
  return args.map((arg, i) => {
    const todo = isGroup && i === 0 ? `{${subcommands}; ${action(arg)}}` : action(arg);
    return quote(`${arg.variadic ? '*' : i + 1}:${escape(arg.name)}:${todo}`);
  });
}

/** A text may be @FILE, alone or after a key. */
function action({ kind }: Value): string {
  if (kind === 'text') return '{compset -P "*@" && _files}';
  if (kind === 'file') return '_files';
  if (kind === 'directory') return '_files -/';
  return `compadd - ${kind.join(' ')}`;
}

function wordsOfValued(options: readonly CompletedOption[]): string[] {
  return options.filter(({ value }) => value).flatMap(({ names }) => names);
}

function lines(specs: readonly string[]): string {
  return specs.map((spec) => `        ${spec}\n`).join('');
}

/** For the parts of a spec, which are set apart by colons and brackets. */
function escape(text: string): string {
  return text.replace(/[\\:[\]]/g, '\\$&');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
