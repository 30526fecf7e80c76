import type { CommandDeclaration } from '../../frame/command.ts';
import { languageOption } from '../request-options.ts';

export const sandboxDebugger: CommandDeclaration = {
  name: 'debugger',
  description: 'Print the signature debugger as one HTML file, which works without a server.',
  declare: (command) => {
    command.addOption(languageOption());
  },
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
  load: async () => (await import('./debugger.run.ts')).run,
  misplacedHint: 'leave it out: nothing is served',
};
