import { describe, expect, it } from 'vitest';
import { errorOf, NOW } from '../support/cli.ts';
import type { Answer } from '../support/platform.ts';
import { ENDS, expectFailure, expectFault, expectStored, faultyPlatform, raw } from './support.ts';

/** Answers with a status and the error page of a gateway. */
function refusal(status: number, retryAfter?: string): Answer {
  return (response) => {
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html>no</html>');
  };
}

const RFC_1123 = new Date(NOW + 4000).toUTCString();
const ATTEMPTS = { none: 1, some: 3, all: 5 };

describe.each(ENDS)('an overloaded server at the %s', (end) => {
  const refused = (status: number) => ({
    code: 6,
    message: new RegExp(`^127\\.0\\.0\\.1:\\d+ answered (?:the download with )?HTTP ${status}$`),
    hint: /try again later/,
  });

  /** The waits of a run in which every attempt is refused. */
  async function waitsFor(status: number, retryAfter?: string, attempts = ATTEMPTS.all) {
    const platform = await faultyPlatform(end, refusal(status, retryAfter));
    const gets = end === 'download' ? attempts : 0;
    const { waits } = await expectFailure(platform, { ...refused(status), attempts, gets });
    return waits;
  }

  it.each([500, 502, 503, 504, 429])('HTTP %i is retried with growing waits', async (status) => {
    const waits = await waitsFor(status);
    expect(waits).toHaveLength(4);
    waits.forEach((wait, at) => {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** at);
      expect(wait).toBeLessThanOrEqual(500 * 2 ** at);
    });
  });

  it.each([500, 502, 503, 504, 429])('HTTP %i is retried after its Retry-After', async (status) => {
    expect(await waitsFor(status, '4')).toEqual([4000, 4000, 4000, 4000]);
  });

  it.each([
    ['a date', RFC_1123],
    ['a date of RFC 850', 'Friday, 20-Nov-26 05:00:04 GMT'],
    ['a date of asctime', 'Fri Nov 20 05:00:04 2026'],
    ['white space', ' 4 '],
  ])('Retry-After may be %s', async (_, value) => {
    expect(await waitsFor(503, value)).toEqual([4000, 4000, 4000, 4000]);
  });

  it('a Retry-After below the back-off has no effect', async () => {
    const waits = await waitsFor(503, '1');
    expect(waits.slice(0, 2)).toEqual([1000, 1000]);
    expect(waits[3]).toBeGreaterThanOrEqual(2000);
  });

  it('waits at most 20 s in total', async () => {
    expect(await waitsFor(503, '7', ATTEMPTS.some)).toEqual([7000, 7000]);
  });

  it.each(['21', '3600', '99999999999999999999', 'Sat, 20 Nov 2027 05:00:00 GMT'])(
    'Retry-After: %s exceeds the limit',
    async (value) => {
      expect(await waitsFor(503, value, ATTEMPTS.none)).toEqual([]);
    },
  );

  it.each(['0', '-5', '1e1', '0x10', '7 s', 'soon', '', 'Wed, 01 Jan 2020 00:00:00 GMT'])(
    'Retry-After: %s has no effect',
    async (value) => {
      const waits = await waitsFor(503, value);
      expect(waits).toHaveLength(4);
      expect(waits[0]).toBeLessThanOrEqual(500);
    },
  );

  it('is retried after its Retry-After until it recovers', async () => {
    const fault: Answer = (response, number, request, good) =>
      number === 0 ? refusal(503, '2')(response, number, request, good) : response.end(good);
    const { waits } = await expectStored(await faultyPlatform(end, fault), [], { attempts: 2 });
    expect(waits).toEqual([2000]);
  });
});

describe('any other status', () => {
  it.each([204, 304, 400, 401, 403, 404, 410, 418])(
    '%i at the descriptor is not a JSON envelope and is not retried',
    async (status) => {
      const message = new RegExp(`answered HTTP ${status} \\(text/html\\) with a body that is`);
      await expectFault('descriptor', refusal(status), { code: 5, message, hint: /address/ });
    },
  );

  it.each([204, 206, 304, 400, 401, 403, 404, 410, 418])(
    '%i at the download is retried with a fresh link',
    async (status) => {
      const message = new RegExp(
        `answered the download with HTTP ${status}(?:: "<html>no</html>")?$`,
      );
      const fault = { code: 5, message, transient: true };
      const result = await expectFault('download', refusal(status), fault);
      // The platform finds the call by its serial number.
      expect(errorOf(result).seq_id).toMatch(/./);
    },
  );

  it.each(ENDS)('above 599 at the %s is retried', async (end) => {
    const fault = raw(() => ['HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n']);
    await expectFault(end, fault, { code: 6, message: /HTTP 999$/ });
  });
});
