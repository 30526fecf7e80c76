import {
  type CommandTree,
  type TreeCommand,
  type TreeOption,
  type Value,
  valuedNames,
} from '../command-tree.ts';
import { PRINTERS } from './shells.ts';

/** A completion script for zsh: save it in `$fpath` as `_NAME`, or source it after `compinit`. */
export function zshCompletion({ name, globals, commands }: CommandTree): string {
  const groups = commands.filter((command) => command.commands.length > 0);
  const valued = [
    ...valuedNames(globals).map((word) => `*' ${word}'`),
    ...groups.flatMap(({ path, options }) =>
      valuedNames(options).map((word) => `'${path} ${word}'`),
    ),
  ];
  const subcommands = groups.flatMap((group) =>
    group.commands.map((command) => `'${group.path} ${command.name}'`),
  );
  return `#compdef ${name}
# zsh completion for ${name}, printed by: ${name} completion zsh

_${name}() {
  local at=${name} i=2
  local -a subcommands specs
${array('  ', 'specs', globals.map(optionSpec))}
  # Remove the names of commands: _arguments expects only options and arguments.
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
  _arguments -s -S : $specs
}

if [[ $funcstack[1] == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function branch({ path, options, commands, arguments: args }: TreeCommand): string {
  const specs = [...options.map(optionSpec), ...argumentSpecs(args, commands.length > 0)];
  const described = commands.map(({ name, description }) => quote(`${name}:${description}`));
  return `    ${quote(path)})
${array('      ', 'subcommands', described)}${array('      ', 'specs', specs)}      ;;
`;
}

/** An option without a value is offered once. */
function optionSpec({ names, description, value }: TreeOption): string {
  const mark = value ? '*' : names.length > 1 ? `(${names.join(' ')})` : '';
  const words = names.map((name) => `${name}${value ? (name.startsWith('--') ? '=' : '+') : ''}`);
  const rest = `[${escapeSpec(description)}]${value ? `:${escapeSpec(value.name)}:${action(value)}` : ''}`;
  if (words.length === 1) return quote(`${mark}${words}${rest}`);
  return `${quote(mark)}{${words.join(',')}}${quote(rest)}`;
}

function argumentSpecs(args: TreeCommand['arguments'], isGroup: boolean): string[] {
  const subcommands = '_describe command subcommands';
  if (isGroup && args.length === 0) return [quote(`1:command:{${subcommands}}`)];
  return args.map((arg, i) => {
    const todo = isGroup && i === 0 ? `{${subcommands}; ${action(arg)}}` : action(arg);
    return quote(`${arg.variadic ? '*' : i + 1}:${escapeSpec(arg.name)}:${todo}`);
  });
}

function action({ kind }: Value): string {
  if (kind === 'text') return ' ';
  if (kind === '@file') return '{compset -P "*@" && _files}';
  if (kind === 'file') return '_files';
  if (kind === 'directory') return '_files -/';
  if (typeof kind === 'string') return `{compadd - \${(f)"$(${PRINTERS[kind]} 2> /dev/null)"}}`;
  return `compadd - ${kind.join(' ')}`;
}

function array(indent: string, name: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const lines = items.map((item) => `${indent}  ${item}\n`);
  return `${indent}${name}+=(\n${lines.join('')}${indent})\n`;
}

/** Escapes the characters that separate the parts of a spec. */
function escapeSpec(text: string): string {
  return text.replace(/[\\:[\]]/g, '\\$&');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
