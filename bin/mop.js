#!/usr/bin/env node
import { main, processIo } from '../dist/cli.js';

process.exitCode = await main(process.argv.slice(2), processIo());
// Every write is waited for, unless a signal or --max-time came first: what is left then, nobody
// reads, and it would keep the process alive.
if (process.stdout.writableLength > 0) process.exit();
