import { SANDBOX_PORT } from '../../protocol/sandbox.ts';
import type { CommandDeclaration } from '../frame/command.ts';
import { collect, count, port, wholeNumber } from '../frame/option-values.ts';
import { typeOption } from './bill/bill-options.ts';
import { readingOption } from './request-options.ts';

const sandboxRecords: CommandDeclaration = {
  name: 'records',
  description: "Print a day's orders as your own system would hold them, for bill compare.",
  declare: (command) => {
    command
      .argument('[date]', 'a day as YYYY-MM-DD, or yesterday (default yesterday)')
      .option(
        '--differences <n>',
        'the number of differences from the bill (default 0)',
        wholeNumber,
      )
      .addOption(typeOption())
      .option('--rows <n>', 'orders in a bill (default 200)', count);
  },
  help: {
    notes: `
        Prints CSV, or an array with --json, the newest order first. Differences
        alternate: another paid_amount, an order that your records lack, an order
        that the bill lacks. Use the --type of the bill and the --rows of the
        sandbox.`,
    examples: [
      'mop sandbox records yesterday --differences 5 > records.csv',
      'mop sandbox records 2026-11-19 --type refund --json',
    ],
    failures: ['config'],
  },
  load: async () => (await import('./sandbox.run.ts')).records,
  misplacedHint: 'leave it out: nothing is served',
};

const sandboxEncrypt: CommandDeclaration = {
  name: 'encrypt',
  description: 'Encrypt parameters for decode, as a mini-program would.',
  declare: (command) => {
    command.argument('<json>', 'a JSON object: the text, @FILE, or - for stdin');
  },
  help: {
    notes: `
        Prints encrypt_data and encrypt_id, which any sandbox decodes.`,
    examples: [
      `mop decode $(mop sandbox encrypt '{"openId":"o-1"}') --env sandbox`,
      'mop sandbox encrypt @parameters.json --json >> batch.jsonl',
    ],
  },
  load: async () => (await import('./sandbox.run.ts')).encrypt,
  misplacedHint: 'leave it out: nothing is served',
};

const sandboxDebugger: CommandDeclaration = {
  name: 'debugger',
  description: 'Print the signature debugger as one HTML file, which works without a server.',
  help: {
    notes: `
        Give the file to someone who cannot install mop. It opens from disk, explains a request as
        mop sign verify does, and can send nothing. A running sandbox or proxy serves the same page at
        /platform/debugger. To open it with a request: mop sign verify @request.json --open`,
    examples: [
      'mop sandbox debugger > debugger.html',
      'mop sandbox debugger --lang zh > 签名.html',
    ],
  },
  load: async () => (await import('./sandbox.run.ts')).printDebugger,
  misplacedHint: 'leave it out: nothing is served',
};

export const sandbox: CommandDeclaration = {
  name: 'sandbox',
  description: 'Simulate the platform, the detection service and GraphQL on this machine.',
  declare: (command) => {
    command
      .optionsGroup('Server:')
      .option('--host <host>', 'listen on this address (default 127.0.0.1)')
      .option('--allow-remote', 'allow a --host that other machines can reach')
      .option('--port <n>', `listen on this port, 0 for any (default ${SANDBOX_PORT})`, port)
      .option('--allow-origin <origin>', 'allow pages of this origin, repeatable', collect)
      .option('--log', 'write a line for each request to stderr')
      .optionsGroup('Simulation:')
      .option('--rows <n>', 'orders in a bill (default 200)', count)
      .option('--fault <name[=value][:count]>', 'simulate a fault, repeatable; see below', collect)
      .addOption(readingOption());
  },
  help: {
    notes: `
        Pages: /platform            credentials, addresses and examples
               /requests            the requests, live, with verdicts
               /platform/debugger   the mistake in a signature
               / and /console       the detection service

        With MOP_AI_BASE_URL, MOP_AI_MODEL and MOP_AI_KEY, the detection service also asks an
        OpenAI-compatible model. GraphQL is at /graphql.

        Faults: code=N http=N latency=MS drop truncate corrupt expire no-hash
                hash-type=NAME slow=BYTES_PER_S skew=S
        Add :COUNT to simulate a fault only the first COUNT times.

        Pages of --allow-origin may call all services, except /requests. null allows pages without
        an origin, such as files; * allows all pages.`,
    examples: [
      'mop sandbox --log',
      'mop sandbox --port 0 --json',
      'mop sandbox --fault corrupt:1 --fault latency=200',
      'mop sandbox --allow-origin http://localhost:5173',
    ],
    failures: ['config'],
  },
  commands: [sandboxDebugger, sandboxEncrypt, sandboxRecords],
  load: async () => (await import('./sandbox.run.ts')).serve,
};
