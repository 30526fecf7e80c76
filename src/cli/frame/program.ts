import { Option } from 'commander';
import { VERSION } from '../../version.ts';
import { type Context, createContext, type GlobalOptions } from '../context/context.ts';
import type { Io } from '../context/io.ts';
import { Output } from '../context/output.ts';
import { ENVIRONMENTS } from '../context/settings.ts';
import { type Choose, Command, HelpAsked, positive, type Run, wholeNumber } from './command.ts';

/** A command declares what it takes, and tells what it is to do. */
interface CommandModule {
  readonly register: (command: Command, choose: Choose) => void;
}

/** The commands, in the order of the help. Only the one that is called is loaded. */
const COMMANDS: readonly [name: string, description: string, load: () => Promise<CommandModule>][] =
  [
    ['sign', 'Sign one request and print it.', () => import('../commands/sign/sign.ts')],
    ['bill', 'Fetch daily bills and keep their books.', () => import('../commands/bill/bill.ts')],
    [
      'account',
      'Keep the link between your users and their openId.',
      () => import('../commands/account/account.ts'),
    ],
    [
      'decode',
      'Decode the encrypted parameters of a mini-program.',
      () => import('../commands/decode.ts'),
    ],
    ['estimate', 'Estimate the prices of a ride.', () => import('../commands/estimate.ts')],
    [
      'call',
      'Call any operation of the platform and print its data.',
      () => import('../commands/call.ts'),
    ],
    ['errors', 'Explain result codes of the platform.', () => import('../commands/errors.ts')],
    [
      'detect',
      'Check what an AI says for emotional risks.',
      () => import('../commands/detect/detect.ts'),
    ],
    ['health', 'Ask the detection service how it is.', () => import('../commands/health.ts')],
    ['gql', 'Run, check and explore GraphQL operations.', () => import('../commands/gql/gql.ts')],
    [
      'config',
      'Keep addresses and credentials in named profiles.',
      () => import('../commands/config/config.ts'),
    ],
    [
      'doctor',
      'Check configuration, network, clock and credentials, a line each.',
      () => import('../commands/doctor/doctor.ts'),
    ],
    [
      'sandbox',
      'Serve all systems on this machine, to try things and to test against.',
      () => import('../commands/sandbox/sandbox.ts'),
    ],
    [
      'completion',
      'Print a script that completes mop in a shell.',
      () => import('../commands/completion.ts'),
    ],
    ['help', 'Explain a command or a topic.', () => import('../commands/help/help.ts')],
  ];

/**
 * Parses a command line into what it does.
 *
 * @throws {CommanderError} for bad usage; also when the version was asked for, after printing it.
 */
export async function parse(
  argv: readonly string[],
  io: Io,
): Promise<{ readonly context: Context; readonly run: Run }> {
  let chosen: { readonly command: Command; readonly run: Run } | undefined;
  const choose: Choose = (command, run) => {
    chosen = { command, run };
  };
  const program = emptyProgram();
  let version = '';
  // Commands made after this take it over.
  program.exitOverride().configureOutput({
    writeOut: (text) => {
      version = text;
    },
    outputError: () => {},
  });
  let words: readonly string[] = [];
  try {
    words = program.parseOptions([...argv]).operands;
    await addCommands(program, (name) => name === words[0], choose);
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (version) await new Output(io, {}).data(version);
    if (!(error instanceof HelpAsked)) throw error;
    const { command } = error;
    choose(command, async (context) => {
      const { showHelp } = await import('../commands/help/help.ts');
      await showHelp(command, words, context);
    });
  }
  if (!chosen) throw new Error('a command without an action');
  const globals = chosen.command.optsWithGlobals<GlobalOptions>();
  return { context: createContext(io, globals), run: chosen.run };
}

/** The whole command tree, to be read. */
export async function buildProgram(): Promise<Command> {
  const program = emptyProgram();
  await addCommands(
    program,
    () => true,
    () => {},
  );
  return program;
}

/** The program and the options that every command takes. */
function emptyProgram(): Command {
  return new Command('mop')
    .description('Sign, fetch and check: the tool for the mobility open platform.')
    .version(VERSION, '-V, --version', 'print the version')
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
    .option('--timeout <seconds>', 'give up without progress for so long (30)', positive)
    .option(
      '--max-time <seconds>',
      'give up the whole command after so long (exit code 6)',
      positive,
    )
    .option('--retries <n>', 'attempts after a first one that failed (4)', wholeNumber)
    .option('--proxy <url>', 'send everything through this proxy')
    .option('--ca-file <file>', 'trust these certificates (PEM) as well')
    .option('--dry-run', 'print the request that would be sent, and send nothing')
    .commandsGroup('Commands:')
    .explain({
      examples: [
        'mop bill fetch --env sandbox',
        `mop sign '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}' --env sandbox`,
        'mop help scheduling',
      ],
    });
}

/** Has a group of commands answer `help` too; its list does not show it. */
function addGroupHelp(group: Command, choose: Choose): void {
  group
    .helpCommand(false)
    .command('help', { hidden: true })
    .argument('[subcommand...]')
    .action((rest: readonly string[], _: unknown, command: Command) =>
      choose(command, async (context) => {
        const { explainCommand } = await import('../commands/help/help.ts');
        await explainCommand([group.name(), ...rest], context);
      }),
    );
}

/** Names every command, and has those that are wanted declare what they take. */
async function addCommands(
  program: Command,
  isWanted: (name: string) => boolean,
  choose: Choose,
): Promise<void> {
  for (const [name, description, load] of COMMANDS) {
    const command = program.command(name).description(description);
    if (!isWanted(name)) continue;
    (await load()).register(command, choose);
    const children = command.commands.map((child) => child.name());
    if (children.length > 0 && !children.includes('help')) {
      addGroupHelp(command, choose);
    }
  }
}
