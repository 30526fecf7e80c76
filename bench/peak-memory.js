/** Preloaded into a process: writes its peak memory in KiB to the file PEAK_FILE as it ends. */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  // The peak of resourceUsage() begins with the memory of the process that started this one.
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(process.env.PEAK_FILE, kib);
});
