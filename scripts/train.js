/** `npm run train [-- FILE...]`: trains the embedded model of detection (docs/detection-model.md). */
import { sourceModule } from './source-module.js';

const { main } = await sourceModule('/training/main.ts');
try {
  main(process.argv.slice(2));
} catch (error) {
  // A faulty row or file; anything else is a bug.
  if (!error.code) throw error;
  console.error(`train: ${error.message}`);
  process.exit(1);
}
process.exit();
