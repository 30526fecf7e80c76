import { Option } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { collect, count, nonNegative, wholeNumber } from '../../frame/option-values.ts';
import { readingOption } from '../request-options.ts';

export const signVerify: CommandDeclaration = {
  name: 'verify',
  description: 'Find out what is wrong with the signature of a request.',
  declare: (command) => {
    command
      .argument('[request]', 'JSON body, HAR, curl, fetch, HTTP message, …: the text, @FILE, or -')
      .optionsGroup('Request:')
      .option('-H, --header <line>', "a header that came with the body ('X-TMS-…: value')", collect)
      .option('--entry <n>', 'which request of several, from 1; by default the first signed', count)
      .option('--all', 'every signed request, a line for each')
      .option('--last', 'the request of the last call that the platform refused')
      .optionsGroup('Verification:')
      .option(
        '--now <seconds>',
        'Unix time to compare the timestamp with, instead of now',
        wholeNumber,
      )
      .option('--max-skew <seconds>', 'how far apart the two may be (60)', nonNegative)
      .addOption(readingOption())
      .addOption(
        new Option('--effort <effort>', 'how long to search for mistakes (normal)').choices([
          'low',
          'normal',
          'high',
        ]),
      )
      .option('--theirs <string>', 'compare with the string that the signer printed')
      .optionsGroup('Output:')
      .option('--save-vector <file>', 'write the case for others, with a dummy secret');
  },
  help: {
    notes: `
        A mistake is proved: made again on purpose, it gives the signature that was received. The
        exit code is 0 when the signature is right, 4 when it is wrong, or when the platform refuses
        the request whatever its signature: without X-TMS-Sign-Ver: 2.0, at the address of the
        other mode, or with common fields under other names.

        The content of REQUEST tells its format: a JSON body, curl, wget, HTTPie, fetch and
        PowerShell commands, HAR, .http and Burp files, an HTTP message, an error of axios, a trace
        of curl, or a log of Apache HttpClient, OkHttp, Python or any program that logs the body.
        Of several requests the first signed one is verified; --entry chooses another, --all
        prints a line for each.

        --effort low tries single mistakes (0.2 s), normal combinations of two (up to 2 s), high of
        three (up to half a minute).

        Where the documents leave a point open, every reading is tried, and a signature that is
        right under one of them is right: see mop help readings.

        A call whose key, signature or timestamp the platform refused is kept for ten minutes,
        without the secret. --last verifies it with the profile and environment of the call.`,
    examples: [
      'mop sign verify @request.json',
      'mop sign verify --last',
      'mop sign verify @curl.txt',
      'mop sign verify @request.http',
      'mop sign verify @captured.har --all',
      'mop sign verify @captured.har --entry 3 --json',
      'mop sign verify @request.json --theirs @program.log',
      'mop sign verify @request.json --effort high',
    ],
    failures: ['config', 'auth', 'mixed'],
  },
  load: () => import('./verify.run.ts'),
  misplacedHint: 'the request itself says how it was signed',
};
