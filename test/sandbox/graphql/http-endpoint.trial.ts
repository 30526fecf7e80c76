import { expect, test } from 'vitest';
import { send, start } from '../support.ts';
import { multiplied, post, resultOf } from './support.ts';

test('refuses a document with too many fields', async () => {
  const sandbox = await start({ rows: 150 });
  const bomb = Array.from(
    { length: 60 },
    (_, at) => `a${at}: bills(last: 92) { rides(first: 100) { nodes { id city amount } } }`,
  );
  const answer = resultOf(await post(sandbox, `{ ${bomb.join(' ')} }`));
  const messages = new Set(answer.errors?.map(({ message }) => message));
  expect(messages).toContain('the operation selects too many fields: split it');
  expect((await send(`${sandbox.url}/api/health`)).status).toBe(200);
});

test('refuses fields that fragments multiply in edges', async () => {
  const sandbox = await start({ rows: 150 });
  const answer = resultOf(await post(sandbox, multiplied('edges { node { ...F } }')));
  expect(answer.errors?.[0]?.message).toBe('the operation selects too many fields: split it');
});
