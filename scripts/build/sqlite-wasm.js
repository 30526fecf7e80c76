/** The WebAssembly of node-sqlite3-wasm, from the module that scripts/build/data.js writes. */
import { brotliDecompressSync } from 'node:zlib';
import text from 'node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm';

export const readWasm = () => brotliDecompressSync(Buffer.from(text, 'base64'));
