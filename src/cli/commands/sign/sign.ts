import { Option } from 'commander';
import { PROGRAM_LANGUAGES } from '../../../signing/programs/languages.ts';
import type { Command, CommandDeclaration } from '../../frame/command.ts';
import { collect, count, nonNegative, wholeNumber } from '../../frame/option-values.ts';
import {
  addFieldOptions,
  addFormOptions,
  addHeaderModeOptions,
  modeOption,
  NO_NONCE,
  readingOption,
} from '../request-options.ts';

function addSignOptions(command: Command): Command {
  addFormOptions(
    addFieldOptions(command.argument('[body]', 'a JSON object: the text, @FILE, or - for stdin')),
  );
  const mode = modeOption('body (protocol 1.0) or header (2.0); default: by setting and --path');
  return addHeaderModeOptions(command.optionsGroup('Signature:').addOption(mode))
    .option('--timestamp <n>', 'Unix time to sign with, instead of now')
    .option('--nonce <s>', 'nonce to sign with, instead of a random one')
    .option(...NO_NONCE)
    .option('--seq-id <s>', 'serial number to sign with, instead of a random UUID')
    .option('--url <url>', 'address of the request, for --as curl, json and programs')
    .option('--path <path>', 'path below the configured address, such as /trade/bill');
}

export const signExplain: CommandDeclaration = {
  name: 'explain',
  description: 'Show how a request is signed, layer by layer.',
  declare: (command) => addSignOptions(command).addOption(readingOption()),
  help: {
    examples: [
      `mop sign explain '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1,"remark":null}' --env sandbox`,
      'mop sign explain -f city=330100 -F lat=30.270 --mode header --env sandbox',
    ],
    failures: ['config'],
  },
  misplacedHint: 'leave it out, or use --json',
  load: async () => (await import('./sign.run.ts')).explain,
};

const signVerify: CommandDeclaration = {
  name: 'verify',
  description: 'Find the mistakes in the signature of a request.',
  declare: (command) => {
    command
      .argument('[request]', 'JSON body, HAR, curl, fetch, HTTP message, …: the text, @FILE, or -')
      .optionsGroup('Request:')
      .option('-H, --header <line>', "a header that came with the body ('X-TMS-…: value')", collect)
      .option('--entry <n>', 'number of the request, from 1 (default: the first signed)', count)
      .option('--all', 'every signed request, a line for each')
      .option('--last', 'the request of the last call that the platform refused')
      .optionsGroup('Verification:')
      .option('--now <seconds>', 'Unix time at which the request was sent', wholeNumber)
      .option(
        '--max-skew <seconds>',
        'largest accepted clock difference in seconds (default 60)',
        nonNegative,
      )
      .addOption(readingOption())
      .addOption(
        new Option('--effort <effort>', 'how long to search for mistakes (default normal)').choices(
          ['low', 'normal', 'high'],
        ),
      )
      .option('--theirs <string>', 'compare with the string that your program hashed')
      .optionsGroup('Output:')
      .option('--open', 'open the request in the debugger page, instead of verifying it here')
      .option('--save-vector <file>', 'write a test vector to share, with a dummy secret');
  },
  help: {
    notes: `
        A diagnosis is a proof: signing with that mistake reproduces the received signature.
        Exit code 0 (Right): the signature is right. Exit code 4: it is Wrong, or the request breaks
        another rule, such as a missing X-TMS-Sign-Ver; or it is Refused: the signature is right, but
        the secret of the platform differs (--last), or the timestamp is more than a minute from the
        time of sending. That time is known from --now, --last or the capture; otherwise an old
        timestamp is a warning.

        The format of REQUEST is recognised by its content: a JSON body; a curl, wget, HTTPie,
        fetch or PowerShell command; a HAR or .http file; an HTTP message; JSON that describes a
        request; or any log, dump or page with the request in it, also escaped or encoded. The
        first signed request is verified; --entry selects another, and --all prints a line for
        each.

        --effort low tries single mistakes (0.5 s), normal also combinations of two (up to 2 s), and
        high also combinations of three (up to 30 s).

        Where the documents leave a point open, every reading is tried. A signature that is right
        under one reading counts as right: see mop help readings.

        When the platform refuses the key, signature or timestamp of a call, mop keeps the call for
        36 hours, without the secret. --last verifies it with its profile and environment, and
        prints the cause that was found at the call.`,
    examples: [
      'mop sign verify @request.json',
      'mop sign verify --last',
      'mop sign verify @curl.txt',
      'mop sign verify @request.http',
      'mop sign verify @captured.har --all',
      'mop sign verify @captured.har --entry 3 --json',
      'mop sign verify @request.json --theirs @program.log',
      'mop sign verify @request.json --effort high',
      'mop sign verify @request.json --open',
    ],
    failures: ['config', 'auth', 'mixed'],
  },
  load: async () => (await import('./verify.run.ts')).run,
  misplacedHint: 'leave it out: the request shows how it was signed',
};

export const sign: CommandDeclaration = {
  name: 'sign',
  description: 'Sign one request and print it.',
  declare: (command) => {
    addSignOptions(command)
      .enablePositionalOptions()
      .optionsGroup('Output:')
      .addOption(
        new Option(
          '--as <form>',
          'the request in this form, or a program in this language that sends it; default: body, or headers in header mode',
        ).choices(['body', 'headers', 'curl', 'sign', 'json', ...PROGRAM_LANGUAGES]),
      )
      .option('--batch <file>', 'sign each line of a JSON lines file, or of - for stdin')
      // `--as json` is `--json` in every respect, errors included.
      .on('option:as', (form: string) => {
        if (form === 'json') command.setOptionValue('json', true);
      });
  },
  help: {
    examples: [
      `mop sign '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}' --env sandbox`,
      'mop sign -f city=330100 -F lat=30.27 --mode header --env sandbox',
      'mop sign @request.json --as curl --path /trade/bill',
      'mop sign @request.json --as python --path /trade/bill > sign.py',
      'mop sign --batch bodies.jsonl > signed.jsonl',
    ],
    failures: ['config'],
  },
  commands: [signExplain, signVerify],
  load: async () => (await import('./sign.run.ts')).sign,
};
