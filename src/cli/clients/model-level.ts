import type { ModelOptions } from '../../detection/engine/external-model.ts';
import { MopError } from '../../errors.ts';
import { isPrivateTransport } from '../../http/address.ts';
import type { Transport } from '../../http/transport.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../../protocol/defaults.ts';
import type { Context } from '../context/context.ts';
import { openTransport, proxySettings, transportOptions } from './open-transport.ts';

/** The model level of the sandbox's detection service. Close it when done. */
export interface ModelLevel {
  /** Undefined when no model is configured. */
  readonly options: ModelOptions | undefined;
  readonly close: () => Promise<void>;
}

/**
 * The model of `MOP_AI_BASE_URL`, `MOP_AI_MODEL` and `MOP_AI_KEY` (contract section 7). Its
 * connections are opened when a text is judged.
 */
export function modelLevel(context: Context): ModelLevel {
  const { io, output } = context;
  const {
    MOP_AI_BASE_URL: baseUrl = '',
    MOP_AI_MODEL: model = '',
    MOP_AI_KEY: apiKey = '',
  } = io.env;
  if (baseUrl === '' && model === '') return { options: undefined, close: async () => {} };
  checkModel(baseUrl, model, apiKey);
  if (apiKey !== '') output.conceal(apiKey);

  let opened: Promise<Transport> | undefined;
  const open = async (): Promise<Transport> =>
    openTransport(await transportOptions(context, proxySettings(context)));
  const transport: ModelOptions['transport'] = {
    sendForText: async (request) => {
      opened ??= open();
      return (await opened).sendForText(request);
    },
  };
  const { timeout = DEFAULT_TIMEOUT_SECONDS } = context.globals;
  // Shorter than the time-out of the sandbox's client, which would otherwise retry the request.
  const timeoutMs = timeout * 1000 * 0.8;
  return {
    options: { baseUrl, model, apiKey, transport, timeoutMs },
    close: async () => (await opened)?.close(),
  };
}

function checkModel(baseUrl: string, model: string, apiKey: string): void {
  const unusable = (message: string, hint: string) => new MopError('config', message, { hint });
  if (model === '') {
    throw unusable(
      'MOP_AI_BASE_URL is set and MOP_AI_MODEL is not',
      'set MOP_AI_MODEL to the name of the model',
    );
  }
  const example = 'an address such as https://api.example/v1';
  if (baseUrl === '') {
    throw unusable(
      'MOP_AI_MODEL is set and MOP_AI_BASE_URL is not',
      `set MOP_AI_BASE_URL to ${example}`,
    );
  }
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw unusable(
      'MOP_AI_BASE_URL is not an http or https address',
      `set MOP_AI_BASE_URL to ${example}`,
    );
  }
  if (apiKey !== '' && !isPrivateTransport(new URL(baseUrl))) {
    throw unusable(
      'MOP_AI_KEY would be sent over plain http to another machine',
      'set MOP_AI_BASE_URL to an https address',
    );
  }
}
