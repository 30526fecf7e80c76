/** Preloaded into a process: writes its peak memory in KiB to the file PEAK_FILE when it ends. */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  // Not resourceUsage(): its peak includes the memory of the parent process.
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(process.env.PEAK_FILE, kib);
});
