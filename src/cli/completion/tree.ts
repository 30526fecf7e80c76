import type { Command, Option } from 'commander';

/** A value to complete: one of some words, a name in the file system, or any text. */
export interface Value {
  /** What the help calls it. */
  readonly name: string;
  readonly kind: readonly string[] | 'file' | 'directory' | 'text';
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
 * after a dash (`<old-file>`), is one of the file system; `<command>` is a command of the same parent.
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

function readOption({ short, long, description, flags, argChoices }: Option): CompletedOption {
  const [, value] = /[<[](.+)[>\]]$/.exec(flags) ?? [];
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    value: value === undefined ? undefined : readValue(value, argChoices),
  };
}

function readValue(name: string, choices: readonly string[] | undefined): Value {
  const [, place] = /(?:^|-)(file|path|dir)\b/.exec(name) ?? [];
  return { name, kind: choices ?? (place === 'dir' ? 'directory' : place ? 'file' : 'text') };
}
