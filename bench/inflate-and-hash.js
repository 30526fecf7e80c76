/**
 * The minimum work to verify a bill: inflates a file on another thread, and hashes it meanwhile.
 *
 * Usage: node inflate-and-hash.js FILE.gz
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

const KIB = 1024;
const md5 = createHash('md5');
await pipeline(
  createReadStream(process.argv[2], { highWaterMark: 1024 * KIB }),
  createGunzip({ chunkSize: 512 * KIB, highWaterMark: 2048 * KIB }),
  async (chunks) => {
    for await (const chunk of chunks) md5.update(chunk);
  },
);
console.log(md5.digest('hex'));
