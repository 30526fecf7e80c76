import { Option } from 'commander';
import { MopError } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import { type Context, createContext, type GlobalOptions } from '../context/context.ts';
import type { Io } from '../context/io.ts';
import { ENVIRONMENTS } from '../context/setting-keys.ts';
import {
  type Call,
  Command,
  type CommandDeclaration,
  HelpAsked,
  lineage,
  type ProgramContent,
} from './command.ts';
import { positive, wholeNumber } from './option-values.ts';

/** The work of a parsed command line. Every failure is thrown. */
export type Run = (context: Context) => Promise<void>;

/** Takes the command that was called; it runs once parsing is over. */
type OnCall = (command: Command, run: Run) => void;

/**
 * Parses a command line into its work. Declares only the commands whose names occur in `argv`; an
 * action is loaded when it runs.
 *
 * @throws {CommanderError} for bad usage.
 */
export function parse(
  argv: readonly string[],
  io: Io,
  content: ProgramContent,
): { readonly context: Context; readonly run: Run } {
  let called: { readonly command: Command; readonly run: Run } | undefined;
  const onCall: OnCall = (command, run) => {
    called = { command, run };
  };
  const program = emptyProgram(content);
  // Commands that are created after this inherit it.
  program.exitOverride().configureOutput({ outputError: () => {} });
  const named = content.commands.filter(({ name }) => argv.includes(name));
  for (const each of named) addCommand(program, each, onCall);
  // Commander suggests one of these names.
  if (named.length === 0) for (const { name } of content.commands) program.command(name);
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof HelpAsked) {
      const words =
        error.words ?? helpWords(error.command, program.parseOptions([...argv]).operands);
      onCall(error.command, async (context) => {
        const { explainCommand } = await import('./show-help.ts');
        await explainCommand(words, buildProgram(content), context);
      });
    } else if (!asksForVersion(program)) throw error;
  }
  if (asksForVersion(program)) {
    return {
      context: createContext(io, program.opts(), argv),
      run: ({ output }) => output.data(VERSION),
    };
  }
  if (!called) throw new Error('a command without an action');
  const globals = called.command.optsWithGlobals<GlobalOptions>();
  return { context: createContext(io, globals, argv), run: called.run };
}

function asksForVersion(program: Command): boolean {
  return program.opts<{ version?: boolean }>().version ?? false;
}

/** The words of a command's name. Below a group, the typed words, which may be a wrong name. */
function helpWords(command: Command, typed: readonly string[]): readonly string[] {
  const [, ...path] = lineage(command);
  const isGroup = command.registeredArguments.length === 0;
  return isGroup && typed.length > path.length ? typed : path.map((each) => each.name());
}

/** The whole command tree, to be read. */
export function buildProgram(content: ProgramContent): Command {
  const program = emptyProgram(content);
  for (const declaration of content.commands) addCommand(program, declaration, () => {});
  return program;
}

/** The program and the options that every command takes. */
function emptyProgram(content: ProgramContent): Command {
  const program = new Command('mop')
    .description('Sign, fetch and check: the tool for the mobility open platform.')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .helpCommand(false)
    .optionsGroup('Global options:')
    .option('-p, --profile <profile>', 'use this profile of the configuration')
    .addOption(new Option('--env <name>', 'the environment to talk to').choices(ENVIRONMENTS))
    .option('--api-key <key>', 'the api_key to sign with')
    .option('--secret-file <file>', 'read the api secret from a file')
    .option('--json', 'write JSON')
    .option('-q, --quiet', 'no progress and no table')
    .option('-v, --verbose', 'show each HTTP exchange on stderr, secrets taken out')
    .option('--debug', 'show the stack trace of an error')
    .option('--no-color', 'no colour')
    .option(
      '--timeout <seconds>',
      'fail when nothing arrives for this many seconds (default 30)',
      positive,
    )
    .option(
      '--max-time <seconds>',
      'fail when the whole command takes longer (exit code 6)',
      positive,
    )
    .option('--retries <n>', 'attempts after a first one that failed (4)', wholeNumber)
    .option('--proxy <url>', 'send everything through this proxy')
    .option('--ca-file <file>', 'trust these certificates (PEM) as well')
    .option('--dry-run', 'print the request that would be sent, and send nothing')
    .option('--reveal', 'with --dry-run, print the signature too, so that the request can be sent')
    .commandsGroup('Commands:');
  program.content = content;
  program.helpText = {
    examples: [
      'mop bill fetch --env sandbox',
      `mop sign '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}' --env sandbox`,
      'mop help scheduling',
    ],
  };
  return program;
}

/** The one place where actions are loaded. */
function addCommand(parent: Command, declaration: CommandDeclaration, onCall: OnCall): void {
  const { name, description, hidden = false, declare, help, load, commands = [] } = declaration;
  const { reveals = false } = declaration;
  const command = parent.command(name, { hidden }).description(description);
  if (help) command.helpText = help;
  declare?.(command);
  if (load) {
    command.action((...parsed: unknown[]) =>
      onCall(command, async (context) => {
        if (!reveals) assertNothingRevealed(context);
        const { run } = await load();
        const options = optionsOf(command, declaration);
        const call: Call = { args: parsed.slice(0, -2), options, context, command };
        await run(call as Call<never, never>);
      }),
    );
  }
  if (commands.length > 0) {
    command.helpCommand(false);
    for (const child of commands) addCommand(command, child, onCall);
    if (commands.every((child) => child.name !== 'help')) addGroupHelp(command);
  }
}

/** @throws {MopError} `usage` for `--reveal` where there is nothing to reveal. */
function assertNothingRevealed({ globals: { reveal, dryRun } }: Context): void {
  if (!reveal || dryRun) return;
  throw new MopError('usage', '--reveal belongs to --dry-run and to bill info', {
    hint: 'leave it out, or add --dry-run',
  });
}

/** Has a group of commands answer `help` too; its own help does not list it. */
function addGroupHelp(group: Command): void {
  group
    .command('help', { hidden: true })
    .argument('[subcommand...]')
    .action((rest: readonly string[]) => {
      throw new HelpAsked(group, [group.name(), ...rest]);
    });
}

/**
 * The options of a command. Below a command that does something itself, commander accepts the
 * options of both anywhere, and gives those that both declare to the upper one.
 *
 * @throws {MopError} `usage` for an option that only the upper one declares.
 */
function optionsOf(command: Command, { misplacedHint }: CommandDeclaration): object {
  const { parent } = command;
  if (!parent?.parent || parent.options.length === 0) return command.opts();
  const own = new Set(command.options.map((option) => option.attributeName()));
  const misplaced = parent.options.find(
    (option) =>
      !own.has(option.attributeName()) &&
      parent.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (!misplaced) return command.optsWithGlobals();
  throw new MopError('usage', `${command.name()} takes no ${misplaced.long}`, {
    hint:
      misplacedHint ??
      `mop ${parent.name()} ${command.name()} --help shows its arguments and options`,
  });
}
