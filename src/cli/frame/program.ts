import { Option } from 'commander';
import { MopError, quoted } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import { type Context, createContext, type GlobalOptions } from '../context/context.ts';
import type { Io } from '../context/io.ts';
import { ENVIRONMENTS } from '../context/setting-keys.ts';
import {
  type Call,
  Command,
  type CommandDeclaration,
  HelpRequested,
  lineage,
  type ProgramContent,
} from './command.ts';
import { language, positive, wholeNumber } from './option-values.ts';

/** Runs a parsed command line. Throws every failure. */
export type Run = (context: Context) => Promise<void>;

/** Receives the called command, which runs after parsing. */
type OnCall = (command: Command, run: Run) => void;

/**
 * Parses a command line. To start fast, declares only the commands whose names occur in `argv`, and
 * loads an action only when it runs.
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
  // Commands created later inherit these settings.
  program
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => {} });
  const named = content.commands.filter(({ name }) => argv.includes(name));
  for (const each of named) addCommand(program, each, onCall);
  // Only with declared commands does commander report an unknown word as an unknown command.
  if (named.length === 0) for (const { name } of content.commands) program.command(name);
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof HelpRequested) {
      const words =
        error.words ?? helpWords(error.command, program.parseOptions([...argv]).operands);
      onCall(error.command, async (context) => {
        const { printCommandHelp } = await import('./show-help.ts');
        await printCommandHelp(words, buildProgram(content), context);
      });
    } else if (!isVersionRequested(program)) throw error;
  }
  if (isVersionRequested(program)) {
    return {
      context: createContext(io, program.opts(), argv),
      run: ({ output }) => output.data(VERSION),
    };
  }
  if (!called) throw new Error('no command was called');
  const globals = called.command.optsWithGlobals<GlobalOptions>();
  return { context: createContext(io, globals, argv), run: called.run };
}

function isVersionRequested(program: Command): boolean {
  return program.opts<{ version?: boolean }>().version ?? false;
}

/** The words of a command's name. For a group, the typed words, which may be a wrong name. */
function helpWords(command: Command, typed: readonly string[]): readonly string[] {
  const [, ...path] = lineage(command);
  const isGroup = command.registeredArguments.length === 0;
  return isGroup && typed.length > path.length ? typed : path.map((each) => each.name());
}

/** The complete command tree, without actions. */
export function buildProgram(content: ProgramContent): Command {
  const program = emptyProgram(content);
  for (const declaration of content.commands) addCommand(program, declaration, () => {});
  return program;
}

/** The program with the global options. */
function emptyProgram(content: ProgramContent): Command {
  const program = new Command('mop')
    .description('Sign, fetch and check: the tool for the mobility open platform.')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .helpCommand(false)
    .optionsGroup('Global options:')
    .option('-p, --profile <profile>', 'use this profile of the configuration')
    .addOption(new Option('--env <name>', 'the environment to use').choices(ENVIRONMENTS))
    .option('--api-key <key>', 'the api_key to sign with')
    .option('--secret-file <file>', 'read the api secret from a file')
    .option('--json', 'write JSON')
    .option('-q, --quiet', 'print no progress and no table')
    .option('-v, --verbose', 'print each HTTP exchange to stderr, secrets redacted')
    .option('--debug', 'print the stack trace of an error')
    .option('--no-color', 'print without colour')
    .option('--lang <language>', 'language of messages and help: en or zh', language)
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
    .option('--retries <n>', 'retries after a failed attempt (default 4)', wholeNumber)
    .option('--proxy <url>', 'send requests through this proxy, except to loopback')
    .option('--ca-file <file>', 'also trust these certificates (PEM)')
    .option('--dry-run', 'print the request instead of sending it')
    .option('--reveal', 'with --dry-run, print the signature and other credentials too')
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

/** Adds a command with its subcommands. Only this function loads actions. */
function addCommand(parent: Command, declaration: CommandDeclaration, onCall: OnCall): void {
  const { name, description, hidden = false, declare, help, load, commands = [] } = declaration;
  const { reveals = false } = declaration;
  const command = parent.command(name, { hidden }).description(description);
  if (help) command.helpText = help;
  declare?.(command);
  if (load) {
    command.action((...parsed: unknown[]) =>
      onCall(command, async (context) => {
        if (!reveals) assertRevealApplies(context);
        const run = await load();
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

/** @throws {MopError} `usage` for `--reveal` without `--dry-run`. */
function assertRevealApplies({ globals: { reveal, dryRun } }: Context): void {
  if (!reveal || dryRun) return;
  throw new MopError('usage', '--reveal requires --dry-run, except in bill info', {
    hint: 'leave it out, or add --dry-run',
  });
}

/** Adds the subcommand `help` to a group, hidden from the help of the group. */
function addGroupHelp(group: Command): void {
  group
    .command('help', { hidden: true })
    .argument('[subcommand...]')
    .action((rest: readonly string[]) => {
      throw new HelpRequested(group, [group.name(), ...rest]);
    });
}

/**
 * The options of a command. If its parent has an action too, commander accepts the options of both
 * anywhere, and assigns those that both declare to the parent.
 *
 * @throws {MopError} `usage` for an option that only the parent declares.
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
      quoted`mop ${parent.name()} ${command.name()} --help shows its arguments and options`,
  });
}
