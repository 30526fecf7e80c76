import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { expect, test } from 'vitest';
import { proxyTo } from './support.ts';

test('a refused form is not stored completely', async () => {
  const { url } = await proxyTo('http://127.0.0.1:9');
  const text = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n';
  const large = Buffer.concat([Buffer.from(text.repeat(1001)), Buffer.alloc(80 * 1024 * 1024)]);
  const outgoing = openRequest(`${url}/api/open/user/sync`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
  });
  outgoing.on('error', () => {});
  outgoing.write(large);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  // Its end never came.
  expect(incoming.statusCode).toBe(413);
  outgoing.destroy();
});
