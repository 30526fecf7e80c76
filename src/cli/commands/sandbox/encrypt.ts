import type { Context } from '../../context/context.ts';
import { parseObject, readText } from '../../context/input.ts';
import { type Choose, type Command, optionsOf } from '../../frame/command.ts';

export function registerEncrypt(parent: Command, choose: Choose): void {
  parent
    .command('encrypt')
    .description('Encrypt parameters for decode, as a mini-program would.')
    .argument('<json>', 'a JSON object: the text, @FILE, or - for stdin')
    .explain({
      notes: `
        Prints encrypt_data and encrypt_id, which any sandbox decodes.`,
      examples: [
        `mop decode $(mop sandbox encrypt '{"openId":"o-1"}') --env sandbox`,
        'mop sandbox encrypt @parameters.json --json >> batch.jsonl',
      ],
    })
    .action((json: string, _: unknown, command: Command) =>
      choose(command, (context) => {
        optionsOf(command, 'leave it out: nothing is served');
        return runEncrypt(json, context);
      }),
    );
}

async function runEncrypt(json: string, { io, output }: Context): Promise<void> {
  const text = await readText(json, io);
  // Editors and pipes end the last line. What stands on the command line is meant as it is.
  const parameters = text === json ? text : text.replace(/\r?\n$/, '');
  parseObject(
    parameters,
    'parameters',
    'pass an object, such as \'{"openId":"o-1","mobile":"13800000000"}\'',
  );

  const { encryptParameters } = await import('../../../sandbox/encryption.ts');
  const { encryptData, encryptId } = encryptParameters(parameters, io.now());
  if (output.json) await output.document({ encrypt_data: encryptData, encrypt_id: encryptId });
  else await output.data(`${encryptData} ${encryptId}`);
}
