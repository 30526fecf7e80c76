import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const ENV = {
  PATH: process.env.PATH,
  // Without it, PostGraphile prints a notice.
  GRAPHILE_ENV: 'production',
};

/** The file of a program in this folder. */
function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/**
 * Returns a function that starts servers, each once, and returns their addresses. The servers are
 * stopped after the test file.
 */
export function serverStarter(): (name: string) => Promise<string> {
  const started = new Map<string, { child: ChildProcess; url: Promise<string> }>();
  afterAll(() => {
    for (const { child } of started.values()) child.kill('SIGKILL');
  });
  return (name) => {
    const server = started.get(name) ?? startServer(`servers/${name}.js`);
    started.set(name, server);
    return server.url;
  };
}

/** Starts a server, which prints its address. */
function startServer(path: string): { child: ChildProcess; url: Promise<string> } {
  const child = spawn(process.execPath, [fileOf(path)], {
    env: ENV,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${path} ended with code ${code}`)));
  });
  return { child, url };
}

/** Runs a program to its end and returns its standard output. Fails when the program fails. */
export async function run(path: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [fileOf(path), ...args], {
    // Some programs load their plugins from here.
    cwd: fileOf('.'),
    env: ENV,
    timeout: 120_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}
