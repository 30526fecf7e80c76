import type { Command, Option } from 'commander';

/** A value to complete. */
export interface Value {
  /** What the help calls it. */
  readonly name: string;
  /** One of some words; a path; any text, which with `@file` may also be `@FILE` or `key=@FILE`. */
  readonly kind: readonly string[] | 'file' | 'directory' | '@file' | 'text';
}

export interface CompletedOption {
  /** As they are typed, such as `-o` and `--out`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for an option that stands alone. */
  readonly value: Value | undefined;
}

export interface CompletedCommand {
  /** As it is typed, such as `mop bill fetch`. */
  readonly path: string;
  /** Its own; those of `CommandTree.globals` come on top. */
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly (Value & { readonly variadic: boolean })[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
}

/** All that can be completed, as plain data. */
export interface CommandTree {
  readonly name: string;
  /** The options that every command takes. */
  readonly globals: readonly CompletedOption[];
  /** Every command, the program itself first. */
  readonly commands: readonly CompletedCommand[];
}

/**
 * Reads off a program what its help shows. A value that the help calls file, path or dir, alone or
 * after a dash (`<old-file>`), is a path; one that the help shows with an @ may be read from a file;
 * `<command>` is a command of the same parent.
 */
export function readTree(program: Command): CommandTree {
  const help = program.createHelp();
  const globals = program.options.filter(({ hidden, long }) => !hidden && long !== '--version');
  const walk = (
    command: Command,
    path: string,
    siblings: readonly string[],
  ): CompletedCommand[] => {
    const children = help.visibleCommands(command);
    const names = children.map((child) => child.name());
    const own = help.visibleOptions(command).filter((option) => !globals.includes(option));
    return [
      {
        path,
        options: own.map(readOption),
        arguments: command.registeredArguments.map((argument) => ({
          ...readValue(
            argument.name(),
            argument.description,
            argument.argChoices ?? (argument.name() === 'command' ? siblings : undefined),
          ),
          variadic: argument.variadic,
        })),
        commands: children.map((child) => ({
          name: child.name(),
          description: child.description(),
        })),
      },
      ...children.flatMap((child) => walk(child, `${path} ${child.name()}`, names)),
    ];
  };
  const name = program.name();
  return { name, globals: globals.map(readOption), commands: walk(program, name, []) };
}

/** The names of the options that take a value. */
export function valuedNames(options: readonly CompletedOption[]): string[] {
  return options.filter(({ value }) => value).flatMap(({ names }) => names);
}

function readOption({ short, long, description, flags, argChoices }: Option): CompletedOption {
  const [, value] = /[<[](.+)[>\]]$/.exec(flags) ?? [];
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    value: value === undefined ? undefined : readValue(value, description, argChoices),
  };
}

function readValue(
  name: string,
  description: string,
  choices: readonly string[] | undefined,
): Value {
  const [, path] = /(?:^|-)(file|path|dir)\b/.exec(name) ?? [];
  if (choices) return { name, kind: choices };
  if (path) return { name, kind: path === 'dir' ? 'directory' : 'file' };
  return { name, kind: /@(?:file|path)/i.test(name + description) ? '@file' : 'text' };
}
