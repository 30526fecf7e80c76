/** Shared by the parts: alternating timed runs, table rows, servers and temporary directories. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, createWriteStream, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';

const fileHere = (name) => fileURLToPath(new URL(name, import.meta.url));

export const MOP = fileHere('../bin/mop.js');
export const MIB = 1024 ** 2;
/** A program is killed after this time and its part fails. */
const MAX_RUN_SECONDS = 600;
/** A comparison starts no further round after this time. */
const MAX_ROUNDS_SECONDS = 30;

/** Functions that stop the servers and remove the directories of the current part, oldest first. */
const removals = [];

/** Stops the servers of a part and removes its directories. */
export function cleanUp() {
  for (const remove of removals.splice(0).reverse()) remove();
}

/** A directory that is removed after the part. */
export function newDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'mop-bench-'));
  removals.push(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

/**
 * Runs a program to its end.
 *
 * @param output The file for its output. Default: discarded.
 * @returns Seconds of wall clock, and of CPU in all processes that it started.
 */
export function run(
  command,
  args,
  { env = {}, code: expected = 0, cwd, output = '/dev/null' } = {},
) {
  return timed(async () => {
    const out = openSync(output, 'w');
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', out, 'pipe'],
      timeout: 1000 * MAX_RUN_SECONDS,
    });
    closeSync(out);
    removals.push(() => child.kill());
    const errors = textOf(child.stderr);
    const [code, signal] = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (...end) => resolve(end));
    });
    if (code === expected) return;
    throw new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}: ${errors()}`);
  }, childCpu);
}

/** Runs mop as {@link run} does. Returns its peak memory in MiB as well. */
export async function runWithPeak(args, { env, ...options } = {}) {
  const report = join(newDirectory(), 'peak');
  const probe = ['--import', new URL('peak-memory.js', import.meta.url).href];
  const times = await run(process.execPath, [...probe, MOP, ...args], {
    ...options,
    env: { ...env, PEAK_FILE: report },
  });
  return { ...times, peak: Number(readFileSync(report, 'utf8')) / 1024 };
}

/** Seconds that `work` takes; CPU time is the time of this process. */
export async function timed(work, cpu = ownCpu) {
  const [start, before] = [performance.now(), cpu()];
  await work();
  return { wall: (performance.now() - start) / 1000, cpu: cpu() - before };
}

function ownCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Ended child processes and their children. In ticks of 10 ms: exact only as a mean of many runs.
 */
function childCpu() {
  const [, , , , , , , , , , , , , user, system] = statOf('self');
  return (Number(user) + Number(system)) / 100;
}

/** CPU seconds of a running process. */
export function cpuOf(pid) {
  const [, , , , , , , , , , , user, system] = statOf(pid);
  return (Number(user) + Number(system)) / 100;
}

/** The fields of proc(5) after the second, which may contain spaces. */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ');
}

/** The memory of a process in MiB: `VmRSS` is the resident memory, `VmHWM` its peak. */
export function memoryOf(pid, name) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kib] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text) ?? [];
  return Number(kib) / 1024;
}

/**
 * Runs all sides alternately, so that other load of the machine affects all of them. A first round
 * warms up, unless a single round is requested or the first one was slow.
 *
 * @returns The times of each side, for each round.
 */
export async function alternate(sides, runs = 7) {
  const rounds = [];
  const round = async () => {
    const times = [];
    for (const side of sides) times.push(await side());
    rounds.push(times);
  };
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  await round();
  if (runs === 1 || seconds() > MAX_ROUNDS_SECONDS) return rounds;
  rounds.pop();
  do await round();
  while (rounds.length < runs && seconds() < MAX_ROUNDS_SECONDS);
  return rounds;
}

/** A row with the median ratio of the first two sides. */
export function ratio(subject, atMost, rounds) {
  const value = median(rounds.map(([a, b]) => a.wall / b.wall));
  return { subject, atMost, value, unit: '', ...timesOf(rounds.map((round) => round.slice(0, 2))) };
}

/** A row with the median seconds of the first side. */
export function seconds(subject, atMost, rounds) {
  const times = timesOf(rounds.map(([side]) => [side]));
  return { subject, atMost, value: times.wall[0], unit: 's', ...times };
}

/** A row with the rate of the first side: `count` things (a plural) per second. */
export function rate(subject, atLeast, count, things, rounds) {
  const times = timesOf(rounds.map(([side]) => [side]));
  return { subject, atLeast, value: count / times.wall[0], unit: `${things}/s`, ...times };
}

/** A row: the median peak memory of the first side, a {@link runWithPeak}. */
export function peak(subject, atMost, rounds) {
  const value = median(rounds.map(([side]) => side.peak));
  return { subject, atMost, value, unit: 'MiB', ...timesOf(rounds.map(([side]) => [side])) };
}

/** The median wall seconds and the mean CPU seconds of each side. */
export function timesOf(rounds) {
  const sides = rounds[0].map((_, side) => rounds.map((round) => round[side]));
  const mean = (times) => times.reduce((sum, { cpu }) => sum + cpu, 0) / times.length;
  return {
    runs: rounds.length,
    wall: sides.map((times) => median(times.map(({ wall }) => wall))),
    cpu: sides.map(mean),
  };
}

export function median(values) {
  return values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)];
}

/** The programs of the list that are not installed. */
export function missingPrograms(programs) {
  return programs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
}

/**
 * Starts a server that prints one line when it listens. It is stopped after the part.
 *
 * @param core The core for the server and all its threads.
 * @returns Its first line, its process ID and its standard error until now.
 */
export async function startServer(args, { env = {}, core } = {}) {
  const pin = core === undefined ? [] : ['taskset', '-c', `${core}`];
  const [command, ...rest] = [...pin, process.execPath, ...args];
  const server = spawn(command, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  removals.push(() => server.kill());
  const errors = textOf(server.stderr);
  const line = await new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()));
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`${args.join(' ')} ended: ${errors()}`)));
  });
  return { line, pid: server.pid, errors };
}

function textOf(stream) {
  let text = '';
  stream.on('data', (data) => {
    text += data;
  });
  return () => text.trim();
}

/** Starts a sandbox. Returns its facts, its process ID and the environment of a client. */
export async function startSandbox({ options = [], core } = {}) {
  const args = [MOP, 'sandbox', '--port', '0', '--json', ...options];
  const { line, pid } = await startServer(args, { core });
  const facts = JSON.parse(line);
  const credentials = { apiKey: facts.api_key, secret: facts.api_secret };
  return { ...facts, pid, credentials, env: clientEnv(facts.base_url, credentials) };
}

/** Starts a server of this answer. Returns its address and its process ID. */
export async function startAnswers(answer, core) {
  const { line, pid } = await startServer([fileHere('answer-server.js'), answer], { core });
  return { url: line, pid };
}

/** Starts a server of this bill. Returns its address and the environment of a client. */
export async function startBills({ path, md5 }) {
  const { line: url } = await startServer([fileHere('bill-server.js'), path, md5]);
  return { url, env: clientEnv(url) };
}

/** The environment of mop as a client, without the configuration of this user. */
export function clientEnv(url, { apiKey, secret } = { apiKey: 'bench', secret: 'bench-secret' }) {
  return {
    MOP_BASE_URL: url,
    MOP_OPEN_BASE_URL: url,
    MOP_API_KEY: apiKey,
    MOP_API_SECRET: secret,
    MOP_ENV: 'production',
    MOP_CONFIG_DIR: join(newDirectory(), 'none'),
  };
}

/** A CSV of about `bytes`, in gzip. Returns its path and the MD5 of the original. */
export async function makeBill(bytes) {
  const path = join(newDirectory(), 'bill.csv.gz');
  const hash = createHash('md5');
  const lines = function* () {
    let made = 0;
    for (let block = 0; made < bytes; block++) {
      let text = '';
      for (let i = 0; i < 5000 && made + text.length < bytes; i++) {
        const n = block * 5000 + i;
        // A multiplicative hash: irregular digits like those of real orders, but reproducible.
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

/** Calls `work(n)` for each number below `count`, with at most `width` concurrent calls. */
export async function inFlight(width, count, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
