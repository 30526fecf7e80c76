import { SANDBOX_PORT } from '../../../protocol/sandbox.ts';
import type { CommandDeclaration } from '../../frame/command.ts';
import { collect, count, port } from '../../frame/option-values.ts';
import { readingOption } from '../request-options.ts';
import { sandboxDebugger } from './debugger.ts';
import { sandboxEncrypt } from './encrypt.ts';
import { sandboxRecords } from './records.ts';

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
        The pages of the detection service are at / and /console. With MOP_AI_BASE_URL, MOP_AI_MODEL
        and MOP_AI_KEY, the service also asks an OpenAI-compatible model. GraphQL is at /graphql.

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
  load: async () => (await import('./sandbox.run.ts')).run,
};
