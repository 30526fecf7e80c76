/** What the benchmarks share: timed runs in turn, medians of ratios, and a platform to ask. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';

export const MOP = fileURLToPath(new URL('../bin/mop.js', import.meta.url));

/** Runs `use(directory)` with a directory that is removed afterwards. */
export async function withDirectory(use) {
  const directory = mkdtempSync(join(tmpdir(), 'mop-bench-'));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs a program to its end; its output is thrown away. Returns wall seconds. */
export async function run(command, args, env = {}, expected = 0) {
  const start = process.hrtime.bigint();
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', expected === 0 ? 'inherit' : 'ignore'],
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== expected) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** Runs a script of Node to its end and returns its standard output. */
export async function output(script, args, env = {}) {
  const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 ** 2 };
  return (await promisify(execFile)(process.execPath, [script, ...args], options)).stdout;
}

/**
 * Runs A and B by turns and prints the median of the ratios of their times.
 *
 * @param target What the ratio is to be at most; undefined where it is only of interest.
 */
export async function compare(name, target, a, b, runs = 7) {
  await a();
  await b();
  const pairs = [];
  for (let i = 0; i < runs; i++) pairs.push([await a(), await b()]);
  const ratio = median(pairs.map(([x, y]) => x / y));
  const seconds = [0, 1].map((side) => median(pairs.map((pair) => pair[side])).toFixed(3));
  console.log(
    `${name}: ${ratio.toFixed(2)}x (${target === undefined ? '' : `at most ${target}x wanted; `}${seconds[0]} s against ${seconds[1]} s, median of ${runs})`,
  );
}

export function median(values) {
  return values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)];
}

/** A CSV of about `bytes`, and its gzip form. Returns the path and the MD5 of the original. */
export async function makeBill(directory, bytes) {
  const path = join(directory, `bill-${bytes}.csv.gz`);
  const hash = createHash('md5');
  const lines = function* () {
    let made = 0;
    for (let block = 0; made < bytes; block++) {
      let text = '';
      for (let i = 0; i < 5000; i++) {
        const n = block * 5000 + i;
        // A multiplicative hash: digits as irregular as those of real orders, the same each time.
        const x = Math.imul(n, 2654435761) >>> 0;
        text += `${20261119000000 + n},${x},杭州,快车,2026-11-19 ${x % 24}:${x % 60}:${n % 60},${x % 50}.${x % 100},PAID\n`;
      }
      const chunk = Buffer.from(text);
      made += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(Readable.from(lines()), createGzip({ level: 6 }), createWriteStream(path));
  return { path, md5: hash.digest('hex') };
}

/** Runs `use` with the environment that points mop at a server of this bill. */
export async function withBillServer({ path, md5 }, use) {
  const script = fileURLToPath(new URL('bill-server.js', import.meta.url));
  const server = spawn(process.execPath, [script, path, md5], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await new Promise((resolve) =>
      server.stdout.once('data', (data) => resolve(String(data).trim())),
    );
    const env = {
      MOP_BASE_URL: url,
      MOP_API_KEY: 'bench',
      MOP_API_SECRET: 'bench-secret',
      MOP_ENV: 'production',
    };
    return await use(env, `${url}/bill.csv.gz`);
  } finally {
    server.kill();
  }
}

/** Runs `use` with what a sandbox of its own says about itself, and its process. */
export async function withSandbox(use) {
  const server = spawn(process.execPath, [MOP, 'sandbox', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const facts = await new Promise((resolve) =>
      server.stdout.once('data', (data) => resolve(JSON.parse(String(data)))),
    );
    return await use(facts, server);
  } finally {
    server.kill();
  }
}

/** Runs mop and returns its peak memory in MiB. */
export async function peakMemory(args, env, directory) {
  const report = join(directory, 'peak');
  const probe = new URL('peak-memory.js', import.meta.url).href;
  await run(process.execPath, ['--import', probe, MOP, ...args], { ...env, PEAK_FILE: report });
  return Number(readFileSync(report, 'utf8')) / 1024;
}
