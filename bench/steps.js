/**
 * The steps of `mop bill fetch` of a large bill by themselves, and how close the whole comes to
 * them. On two cores it cannot be quicker than its longest step, which is to inflate.
 *
 * Usage: node bench/steps.js [MiB], by default 512.
 */
import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MOP, makeBill, median, run, withBillServer, withDirectory } from './measure.js';

const KIB = 1024;
const RUNS = 5;
const mib = Number(process.argv[2] ?? 512);

/** Seconds that work takes. */
async function seconds(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

await withDirectory(async (directory) => {
  const bill = await makeBill(directory, mib * KIB * KIB);
  const zipped = readFileSync(bill.path);
  const out = join(directory, 'out.csv');

  /** Inflates pieces of `given` KiB into pieces of `made` KiB. */
  const inflate = (given, made, onChunk = () => {}) =>
    pipeline(
      Readable.from(pieces(zipped, given * KIB)),
      createGunzip({ chunkSize: made * KIB, highWaterMark: 4 * made * KIB }),
      async (chunks) => {
        for await (const chunk of chunks) onChunk(chunk);
      },
    );
  const hash = () => {
    const digest = createHash('md5');
    const chunk = Buffer.alloc(512 * KIB);
    for (let at = 0; at < mib * KIB; at += 512) digest.update(chunk);
    digest.digest();
  };
  const store = () => {
    const file = openSync(out, 'w');
    const chunk = Buffer.alloc(512 * KIB);
    for (let at = 0; at < mib * KIB; at += 512) writeSync(file, chunk);
    fdatasyncSync(file);
    closeSync(file);
    rmSync(out);
  };

  await withBillServer(bill, async (env, url) => {
    const config = { MOP_CONFIG_DIR: join(directory, 'config') };
    const args = ['bill', 'fetch', '--quiet', '--force', '--overwrite', '-o', out];
    const digest = () => createHash('md5');
    const steps = {
      'receive the gzip file': () => run('curl', ['-s', '-o', '/dev/null', url]),
      'inflate, by zlib’s own 16 KiB': () => inflate(64, 16),
      'inflate, given 64 KiB, made 512 KiB': () => inflate(64, 512),
      'inflate, given 1 MiB, made 512 KiB': () => inflate(1024, 512),
      MD5: hash,
      'write and sync': store,
      'inflate and MD5, given 64 KiB': () => {
        const md5 = digest();
        return inflate(64, 512, (chunk) => md5.update(chunk));
      },
      'inflate and MD5, given 1 MiB': () => {
        const md5 = digest();
        return inflate(1024, 512, (chunk) => md5.update(chunk));
      },
      'mop bill fetch': () => run(process.execPath, [MOP, ...args], { ...env, ...config }),
      'curl | tee | gunzip | md5sum': () =>
        run('sh', ['-c', `curl -s '${url}' | tee '${out}' | gunzip | md5sum`]),
    };
    const times = Object.keys(steps).map(() => []);
    for (let round = 0; round < RUNS; round++) {
      for (const [index, step] of Object.values(steps).entries()) {
        times[index].push(await seconds(step));
        rmSync(out, { force: true });
      }
    }
    const limit = median(times[Object.keys(steps).indexOf('inflate, given 1 MiB, made 512 KiB')]);
    for (const [index, name] of Object.keys(steps).entries()) {
      const time = median(times[index]);
      const ratio = (time / limit).toFixed(2);
      console.log(`${name.padEnd(38)} ${time.toFixed(2)} s, ${ratio}x of inflating alone`);
    }
  });
});

function* pieces(buffer, length) {
  for (let at = 0; at < buffer.length; at += length) yield buffer.subarray(at, at + length);
}
