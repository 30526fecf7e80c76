/** The import rules of src/, checked by `npm run lint`. Type and dynamic imports count too. */

const SIGNING = 'signing/[^/]+[.](?:ts|json)';
const ANY_LENGTH = 'any-length[.]ts';
const ENTITIES = 'notations/entities[.]ts';
const FACTS = ['json', 'protocol', 'redaction', 'errors[.]ts', 'version[.]ts', ANY_LENGTH];
const PURE_HTTP = 'http/(codings|multipart)[.]ts';
const BELOW_SIGNING = [PURE_HTTP, 'runtime', 'notations', ...FACTS];
const BELOW_SERVICES = ['http', 'files', ...FACTS];
const BELOW_CLI = ['(?!cli/)', 'cli/exit-codes[.]ts'];

/** The parts of src/ that each folder may import besides itself. */
const MAY_IMPORT = {
  'errors[.]ts': [],
  [ANY_LENGTH]: [],
  protocol: ['errors[.]ts'],
  json: ['errors[.]ts'],
  locale: ['protocol', 'errors[.]ts'],
  runtime: ['errors[.]ts'],
  files: ['errors[.]ts'],
  notations: ['signing/bytes[.]ts'],
  redaction: [ENTITIES],
  http: ['files', ENTITIES, ...FACTS],
  [SIGNING]: BELOW_SIGNING,
  'signing/capture': [SIGNING, 'signing/diagnosis/tables/number-text[.]ts', ...BELOW_SIGNING],
  'signing/diagnosis': [SIGNING, ...BELOW_SIGNING],
  'signing/programs': [SIGNING, 'signing/capture/captured-request[.]ts', ...BELOW_SIGNING],
  'signing/verification': ['signing', ...BELOW_SIGNING],
  platform: ['signing', ...BELOW_SERVICES],
  'platform/openapi': ['signing', ...FACTS],
  reconciliation: BELOW_SERVICES,
  detection: ['notations', 'signing/bytes[.]ts', ...BELOW_SERVICES],
  graphql: BELOW_SERVICES,
  server: ['platform/openapi', 'signing', 'locale', ...BELOW_SERVICES],
  sandbox: ['detection/engine', 'server', 'platform/openapi', 'signing', ...BELOW_SERVICES],
  proxy: ['server', 'platform', 'signing', ...BELOW_SERVICES],
  'signing[.]ts': ['signing/', PURE_HTTP, ...FACTS],
  'index[.]ts': ['(?!cli/)'],
  'cli/context': BELOW_CLI,
  'cli/clients': [...BELOW_CLI, 'cli/context'],
  'cli/frame': [...BELOW_CLI, 'cli/context'],
};

const folders = Object.entries(MAY_IMPORT).map(([folder, others]) => ({
  name: `imports of ${folder}`,
  comment: `may import ${others.join(', ') || 'nothing'}`,
  severity: 'error',
  from: { path: `^src/${folder}` },
  to: { path: '^src/', pathNot: [folder, ...others].map((each) => `^src/${each}`) },
}));

module.exports = {
  forbidden: [
    ...folders,
    {
      name: 'unknown-folder',
      comment: 'a new folder of src/ needs an entry in MAY_IMPORT',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/cli/', ...Object.keys(MAY_IMPORT).map((folder) => `^src/${folder}`)],
      },
      to: {},
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'terminal-in-cli',
      comment: 'only cli/ uses the terminal, the configuration and the process',
      severity: 'error',
      from: {
        path: '^src/(?!cli/|files/abandoned[.]ts|http/(?:transport|content-coding)[.]ts)',
      },
      to: {
        path: ['(^|node_modules/)(commander|conf|ora|read)(/|$)', '^process$'],
      },
    },
    {
      name: 'pure-folders',
      comment:
        'signing/, notations/, redaction/, json/ and protocol/ use no file, no network and no process',
      severity: 'error',
      from: { path: '^src/(signing|notations|redaction|json|protocol)/' },
      to: { pathNot: ['^src/', 'node_modules/(acorn|diff|temporal-polyfill|unbash)/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Templates of programs in eight languages: text, not modules.
    exclude: { path: '^src/signing/programs/templates/' },
    parser: 'swc',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
    tsPreCompilationDeps: true,
  },
};
