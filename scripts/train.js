/** `npm run train [-- FILE...]`: trains the embedded model of detection (docs/detection-model.md). */
import { sourceModule } from './source-module.js';

const { main } = await sourceModule('/training/main.ts');
try {
  main(process.argv.slice(2));
} catch (error) {
  // An error with a code reports a faulty row or file; any other error is a bug.
  if (!error.code) throw error;
  console.error(`train: ${error.message}`);
  process.exit(1);
}
process.exit();
