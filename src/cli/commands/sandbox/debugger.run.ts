import type { Language } from '../../../protocol/language.ts';
import { debuggerFile } from '../../../server/debugger/file.ts';
import { localeLanguage } from '../../context/language.ts';
import type { Call } from '../../frame/command.ts';

interface Options {
  readonly lang?: Language;
}

export async function run({ options, context: { io, output } }: Call<Options>): Promise<void> {
  const page = await debuggerFile(options.lang ?? localeLanguage(io.env));
  await output.bytes(Buffer.from(page));
}
