const { exercise } = require('../cjs/exercise.js');

it('exercises the library', async () => {
  expect(await exercise()).toEqual(JSON.parse(process.env.EXPECTED));
}, 60_000);
