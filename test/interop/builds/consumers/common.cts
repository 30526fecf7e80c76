import mop = require('mop-cli');
import signing = require('mop-cli/signing');

import type { MopError } from 'mop-cli' with { 'resolution-mode': 'import' };

const { body } = signing.signBody('{}', { apiKey: 'k', secret: 's' });
const error: MopError = new mop.MopError('usage', body);
export = error;
