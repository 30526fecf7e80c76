import { encryptParameters } from '../../../sandbox/encryption.ts';
import { argumentText, parseObject } from '../../context/input.ts';
import type { Call } from '../../frame/command.ts';

export async function run({
  args: [json],
  context: { io, output },
}: Call<unknown, [string]>): Promise<void> {
  const text = await argumentText(json, io);
  // Editors and pipes add a line end. Text on the command line is used unchanged.
  const parameters = text === json ? text : text.replace(/\r?\n$/, '');
  parseObject(
    parameters,
    'parameters',
    'pass an object, such as \'{"openId":"o-1","mobile":"13800000000"}\'',
  );

  const { encryptData, encryptId } = encryptParameters(parameters, io.now());
  const document = { encrypt_data: encryptData, encrypt_id: encryptId };
  await output.result(document, `${encryptData} ${encryptId}`);
}
