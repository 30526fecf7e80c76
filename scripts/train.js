/** `npm run train [-- FILE...]`: trains the embedded model of detection (docs/detection-model.md). */
import { sourceModule } from './source-module.js';

const { main } = await sourceModule('/training/main.ts');
main(process.argv.slice(2));
process.exit();
