import { PROXY_PORT } from '../../protocol/defaults.ts';
import type { CommandDeclaration } from '../frame/command.ts';
import { collect, port } from '../frame/option-values.ts';

export const proxy: CommandDeclaration = {
  name: 'proxy',
  description: 'Sign and forward the requests of tools that cannot sign.',
  declare: (command) => {
    command
      .option('--host <host>', 'listen on this address (default 127.0.0.1)')
      .option('--allow-remote', 'allow a --host that other machines can reach')
      .option('--port <n>', `listen on this port, 0 for any (default ${PROXY_PORT})`, port)
      .option('--allow-origin <origin>', 'allow pages of this origin, repeatable', collect)
      .option('--sign-all', 'replace the signatures of requests that are already signed')
      .option('--log', 'write a line for each request to stderr')
      .option('--record <file>', 'write the exchanges to a new HAR file, without secrets');
  },
  help: {
    notes: `
        The proxy signs POST requests to /open/v1/… in the body and to /api/open/… in the headers,
        with the current credentials, and forwards them to the configured addresses. Missing common
        fields are generated. The answer passes through unchanged.

        A request that is already signed is forwarded unchanged and checked: the answer has the
        header X-Mop-Diagnosis with the ids of the mistakes, or ok.

        /requests is a live page of the last 200 requests. Clients of the proxy act with your
        credentials: it accepts programs on this machine, and pages of --allow-origin.`,
    examples: [
      'mop proxy --env sandbox --log',
      'mop proxy --allow-origin http://localhost:5173',
      'mop proxy --port 0 --json --record calls.har',
    ],
    failures: ['config'],
  },
  load: async () => (await import('./proxy.run.ts')).run,
};
