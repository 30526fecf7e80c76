import { type CommandTree, type TreeOption, type Value, valuedNames } from '../command-tree.ts';
import { PRINTERS } from './shells.ts';

/** A completion script for fish. */
export function fishCompletion({ name, globals, commands }: CommandTree): string {
  const when = (place: string): string => ` -n "__${name}_at '${place}'"`;
  const own = commands.flatMap(({ path, options, arguments: args, commands: subcommands }) => [
    ...subcommands.map(
      (command) =>
        `${when(`${path}:0`)} -a ${quote(command.name)} -d ${quote(command.description)}`,
    ),
    ...args.map(
      (arg, i) => when(`${path}:${arg.variadic ? `[${i}-9]\\d*` : i}`) + valueFlags(arg, name),
    ),
    ...options.map((option) => when(`${path}:\\d+`) + optionFlags(option, name)),
  ]);
  return `# fish completion for ${name}, printed by: ${name} completion fish

# Whether the cursor is at COMMAND:POSITION, where POSITION counts the arguments.
function __${name}_at
    set -l commands ${list(commands.map(({ path }) => path))}
    set -l valued ${list(commands.flatMap(({ path, options }) => valuedNames(options).map((word) => `${path} ${word}`)))}
    set -l at ${name}
    set -l position 0
    set -l skip no
    for word in (commandline -opc)[2..]
        if test $skip = yes
            set skip no
        else if contains -- $word ${list(valuedNames(globals))}; or contains -- "$at $word" $valued
            set skip yes
        else if string match -qr '^-.' -- $word
            continue
        else if test $position = 0; and contains -- "$at $word" $commands
            set at "$at $word"
        else
            set position (math $position + 1)
        end
    end
    string match -qr -- "^$argv\\$" "$at:$position"
end

# The files that complete @FILE or key=@FILE.
function __${name}_file
    set -l parts (string match -r '^(.*@)(.*)$' -- (commandline -ct))
    and printf '%s\\n' $parts[2](__fish_complete_path $parts[3])
end

complete -c ${name} -f
${[...globals.map((option) => optionFlags(option, name)), ...own]
  .map((flags) => `complete -c ${name}${flags}\n`)
  .join('')}`;
}

function optionFlags({ names, description, value }: TreeOption, name: string): string {
  const words = names.map((word) =>
    word.startsWith('--') ? ` -l ${word.slice(2)}` : ` -s ${word.slice(1)}`,
  );
  return `${words.join('')}${value ? ` -r${valueFlags(value, name)}` : ''} -d ${quote(description)}`;
}

function valueFlags({ kind }: Value, name: string): string {
  if (kind === 'file') return ' -F';
  if (kind === 'text') return ' -f';
  if (kind === 'directory') return " -f -a '(__fish_complete_directories)'";
  if (kind === '@file') return ` -f -a '(__${name}_file)'`;
  if (typeof kind === 'string') return ` -f -a '(${PRINTERS[kind]} 2> /dev/null)'`;
  return ` -f -a ${quote(kind.join(' '))}`;
}

function list(words: readonly string[]): string {
  return words.map(quote).join(' ');
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
