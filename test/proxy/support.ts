import { onTestFinished } from 'vitest';
import { Transport } from '../../src/http/transport.ts';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { type ProxyOptions, startProxy } from '../../src/proxy/proxy.ts';
import type { Exchange } from '../../src/server/requests/history.ts';
import type { FieldSource } from '../../src/signing/request-fields.ts';
import { NOW } from '../sandbox/support.ts';

export const SOURCE: FieldSource = {
  now: () => NOW,
  seqId: () => '9b2f1c1e-6f0a-4d0b-9a55-0f5d7a1f3c21',
  nonce: () => 'abcdefghij',
};

export interface ProxyForTest {
  readonly url: string;
  /** Each exchange, after its answer. */
  readonly exchanges: readonly Exchange[];
  readonly close: () => Promise<void>;
}

/** A proxy with the sandbox's credentials in front of `upstream`, which ends with the test. */
export async function proxyTo(
  upstream: string,
  options: Partial<ProxyOptions> & { readonly timeoutSeconds?: number } = {},
): Promise<ProxyForTest> {
  const transport = new Transport({ timeoutSeconds: options.timeoutSeconds });
  const exchanges: Exchange[] = [];
  const proxy = await startProxy({
    host: '127.0.0.1',
    port: 0,
    allowRemote: false,
    allowedOrigins: new Set(),
    addresses: { body: upstream, header: upstream },
    credentials: SANDBOX_CREDENTIALS,
    secrets: [{ name: 'the sandbox', ...SANDBOX_CREDENTIALS }],
    transport,
    source: SOURCE,
    signAll: false,
    idleMs: 30_000,
    hide: (text) => text,
    onExchange: (exchange) => exchanges.push(exchange),
    ...options,
  });
  const close = async (): Promise<void> => {
    await proxy.close();
    await transport.close();
  };
  onTestFinished(close);
  return { url: proxy.url, exchanges, close };
}
