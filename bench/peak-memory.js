/** Preloaded into a process: writes its peak memory in KiB to the file PEAK_FILE as it ends. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS));
});
