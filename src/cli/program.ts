import { Command, Option } from 'commander';
import { VERSION } from '../version.ts';
import { type Choose, positive, type Run, wholeNumber } from './command.ts';
import { registerAccount } from './commands/account/index.ts';
import { registerBill } from './commands/bill/index.ts';
import { registerCall } from './commands/call.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerConfig } from './commands/config/index.ts';
import { registerDecode } from './commands/decode.ts';
import { registerDetect } from './commands/detect/index.ts';
import { registerDoctor } from './commands/doctor/index.ts';
import { registerErrors } from './commands/errors.ts';
import { registerEstimate } from './commands/estimate.ts';
import { registerGql } from './commands/gql/index.ts';
import { registerHealth } from './commands/health.ts';
import { registerSandbox } from './commands/sandbox/index.ts';
import { registerSign } from './commands/sign/index.ts';
import { type Context, createContext, type GlobalOptions } from './context.ts';
import type { Io } from './io.ts';
import { Output } from './output.ts';
import { ENVIRONMENTS } from './settings.ts';

/**
 * Parses a command line into what it does.
 *
 * @throws {CommanderError} for bad usage; also when help was asked for, after printing it.
 */
export async function parse(
  argv: readonly string[],
  io: Io,
): Promise<{ readonly context: Context; readonly run: Run }> {
  let chosen: { readonly command: Command; readonly run: Run } | undefined;
  const program = buildProgram((command, run) => {
    chosen = { command, run };
  });
  let answer = '';
  const collectAnswer = (text: string): void => {
    answer += text;
  };
  configure(program, (command) =>
    command
      .exitOverride()
      // The list of commands is for finding one; what it takes stands in its own help.
      .configureHelp({ subcommandTerm: (subcommand) => subcommand.name() })
      .configureOutput({
        writeOut: collectAnswer,
        // Without a command, help is an answer and no error.
        writeErr: collectAnswer,
        outputError: () => {},
        getOutHelpWidth: () => io.stdout.columns || 80,
        getErrHelpWidth: () => io.stdout.columns || 80,
      }),
  );
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } finally {
    if (answer) await new Output(io, {}).data(answer);
  }
  if (!chosen) throw new Error('a command without an action');
  const globals = chosen.command.optsWithGlobals<GlobalOptions>();
  return { context: createContext(io, globals), run: chosen.run };
}

/** The whole command tree. */
export function buildProgram(choose: Choose): Command {
  const program = new Command('mop')
    .description('Sign, fetch and check: the tool for the mobility open platform.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .optionsGroup('Global options:')
    .option('-p, --profile <name>', 'use this profile of the configuration')
    .addOption(new Option('--env <name>', 'the environment to talk to').choices(ENVIRONMENTS))
    .option('--api-key <key>', 'the api_key to sign with')
    .option('--secret-file <file>', 'read the api secret from a file')
    .option('--json', 'write JSON')
    .option('-q, --quiet', 'no progress and no table')
    .option('-v, --verbose', 'show each HTTP exchange on stderr, secrets taken out')
    .option('--debug', 'show the stack trace of an error')
    .option('--no-color', 'no colour')
    .option('--timeout <seconds>', 'give up without progress for so long (30)', positive)
    .option('--max-time <seconds>', 'give up the whole command after so long', positive)
    .option('--retries <n>', 'attempts after a first one that failed (4)', wholeNumber)
    .option('--proxy <url>', 'send everything through this proxy')
    .option('--ca-file <file>', 'trust these certificates (PEM) as well')
    .option('--dry-run', 'print the request that would be sent, and send nothing')
    .commandsGroup('Commands:');
  registerSign(program, choose);
  registerBill(program, choose);
  registerAccount(program, choose);
  registerDecode(program, choose);
  registerEstimate(program, choose);
  registerCall(program, choose);
  registerErrors(program, choose);
  registerDetect(program, choose);
  registerHealth(program, choose);
  registerGql(program, choose);
  registerConfig(program, choose);
  registerDoctor(program, choose);
  registerSandbox(program, choose);
  registerCompletion(program, choose);
  return program;
}

/** Applies settings that commander hands only to commands made after them. */
function configure(command: Command, apply: (command: Command) => void): void {
  apply(command);
  for (const child of command.commands) configure(child, apply);
}
