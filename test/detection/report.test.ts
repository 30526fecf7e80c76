import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JunitReport } from '../../src/detection/junit.ts';
import { DEFAULT_LEVELS, parseLevels } from '../../src/detection/levels.ts';
import type { Examined, Report, ReportOptions } from '../../src/detection/report.ts';
import { SarifReport } from '../../src/detection/sarif.ts';
import { MopError } from '../../src/errors.ts';
import { VERSION } from '../../src/version.ts';
import { CHARACTER } from '../support/character.ts';
import { detection, FAILED, hit } from './support.ts';
import { parseXml, type XmlElement } from './xml.ts';

const TEXT = 'You only need me.';

const OPTIONS: ReportOptions = {
  source: 'replies.txt',
  inputForm: 'whole',
  gate: { levels: DEFAULT_LEVELS },
  includeText: false,
};

function examined(other: Record<string, unknown> = {}, line = 1, text = TEXT): Examined {
  return { line, text, detection: detection(other) };
}

const EXPLANATION =
  'the service rates the whole text with a score of 72; its embedded model estimates the probability of risk at 91%, most likely guilt (83%)';

const failed = (error: MopError, line = 1): Examined => ({ line, error });

function filled<Kind extends Report>(report: Kind, texts: readonly Examined[]): Kind {
  for (const text of texts) report.add(text);
  return report;
}

const contentOf = (report: Report): string => [...report.content()].join('');

function junit(texts: readonly Examined[], options: Partial<ReportOptions> = {}): XmlElement {
  return parseXml(contentOf(filled(new JunitReport({ ...OPTIONS, ...options }), texts)));
}

const schemaFile = new URL('fixtures/sarif-2.1.0-rtm.5.json', import.meta.url);
// Ajv does not support draft 4; the schema does not use its differences.
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8'));
const lenient = { strict: false, validateFormats: false, unicodeRegExp: false };
const isSarif = new Ajv(lenient).compile(schema);

interface SarifRun {
  readonly tool: { readonly driver: Record<string, unknown> };
  readonly results: readonly Record<string, unknown>[];
  readonly invocations: readonly unknown[];
  readonly columnKind: string;
}

function sarif(texts: readonly Examined[], options: Partial<ReportOptions> = {}): SarifRun {
  const text = contentOf(filled(new SarifReport({ ...OPTIONS, ...options }), texts));
  const log = JSON.parse(text);
  expect(text).toBe(`${JSON.stringify(log, null, 2)}\n`);
  expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true);
  return log.runs[0];
}

it.each([JunitReport, SarifReport])('%o is written in chunks no longer than a text', (Kind) => {
  const text = 'a'.repeat(1000);
  const texts = Array.from({ length: 100 }, (_, at) => examined({}, at + 1, text));
  const report = filled(new Kind({ ...OPTIONS, includeText: true }), texts);
  expect(contentOf(report).length).toBeGreaterThan(100_000);
  expect(Math.max(...[...report.content()].map(({ length }) => length))).toBeLessThan(2000);
});

describe('JUnit', () => {
  it('has a test case for each text, in their order', () => {
    const suite = junit(
      [
        examined({ overall_risk: 'none', results: [], risk_score: 0 }),
        examined({}, 3),
        failed(new MopError('usage', 'line 4: the text is empty'), 4),
      ],
      { inputForm: 'lines' },
    );
    expect(suite.name).toBe('testsuite');
    expect(suite.attributes).toEqual({
      name: 'mop detect',
      tests: '3',
      failures: '1',
      errors: '1',
    });
    const [good, bad, broken] = suite.children;
    expect(suite.children.map(({ attributes }) => attributes)).toEqual([
      { name: 'line 1', classname: 'replies.txt' },
      { name: 'line 3', classname: 'replies.txt' },
      { name: 'line 4', classname: 'replies.txt' },
    ]);
    expect(good?.children).toEqual([]);
    expect(bad?.children).toEqual([
      {
        name: 'failure',
        attributes: {
          type: 'risk',
          message: 'the risk is high with a score of 72',
        },
        children: [],
        text: 'high: Claims to be all that the person needs: It draws a person away from people who can help.\n',
      },
    ]);
    expect(broken?.children).toMatchObject([
      { name: 'error', attributes: { type: 'usage', message: 'line 4: the text is empty' } },
    ]);
  });

  it.each([
    [{}, 'medium', 0],
    [{}, 'high', 1],
    [{ failOn: 'medium' }, 'medium', 1],
    [{ failOn: 'critical' }, 'high', 0],
    [{ failScore: 73 }, 'high', 0],
    [{ failScore: 72 }, 'low', 1],
    [{ levels: parseLevels('a<b<c<d') }, 'b', 0],
    [{ levels: parseLevels('a<b<c<d') }, 'c', 1],
    [{ levels: parseLevels('high<b<c'), failOn: 'b' }, 'high', 0],
  ] as const)('with the gate %j counts %s %d times', (gate, level, failures) => {
    const options = { gate: { levels: DEFAULT_LEVELS, ...gate } };
    const suite = junit([examined({ overall_risk: level, results: [] })], options);
    expect(suite.attributes.failures).toBe(`${failures}`);
  });

  it('names the option for which a text failed', () => {
    const [stopped] = junit([examined()], {
      gate: { levels: DEFAULT_LEVELS, failOn: 'medium' },
    }).children;
    expect(stopped?.children[0]?.attributes.message).toBe(
      'the risk is high with a score of 72: stopped by --fail-on medium',
    );
  });

  it('quotes texts only with includeText', () => {
    const texts = [examined({ why: undefined })];
    const open = junit(texts, { includeText: true }).children[0];
    expect(open?.children.at(-1)).toMatchObject({ name: 'system-out', text: TEXT });
    expect(open?.children[0]?.text).toContain('[You only need me]');
    expect(JSON.stringify(junit(texts))).not.toContain('You only need me');
  });

  it('explains a risk without a rule, with words of the text only with includeText', () => {
    const texts = [examined({ overall_risk: 'critical' })];
    const body = (includeText: boolean) =>
      junit(texts, { includeText }).children[0]?.children[0]?.text.split('\n').slice(1);
    const explanation = `critical: Overall risk: ${EXPLANATION}`;
    expect(body(false)).toEqual([explanation, '']);
    expect(body(true)).toEqual([
      explanation,
      '  counted most: [need me] at 9 to 16',
      '  counted most: [only] at 4 to 8',
      '',
    ]);
  });

  it('omits the message of the service from errors, because it may quote the text', () => {
    const error = new MopError('api', `HTTP 400: bad text: ${TEXT}`, { httpStatus: 400 });
    const message = (includeText: boolean) =>
      junit([failed(error)], { includeText }).children[0]?.children[0]?.attributes.message;
    expect(message(false)).toBe('the service answered HTTP 400');
    expect(message(true)).toContain(TEXT);
  });

  it('is valid XML for any text', () => {
    const forbidden = ['\u0000', '\u001b', '\u000b', '\ufffe', '\ud800'];
    const wild = `a${forbidden.join('')} ]]> <b> &amp; "' \r\n\t\u0085\u2028 😀`;
    const rule = hit({ rule_name: wild, why: wild });
    const { children } = junit([examined({ results: [rule] }, 1, wild)], { includeText: true });
    const tame = [...wild].map((each) => (forbidden.includes(each) ? '\ufffd' : each)).join('');
    expect(children[0]?.children.at(-1)?.text).toBe(tame);
    expect(children[0]?.children[0]?.text).toContain(`high: ${tame} [`);
  });

  it('is valid XML for random texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: CHARACTER }), (text) => {
        const suite = junit([examined({ results: [hit({ rule_name: text })] }, 1, text)], {
          includeText: true,
          source: text,
        });
        expect(suite.children).toHaveLength(1);
      }),
    );
  });

  it('of no texts is a suite without cases', () => {
    expect(junit([])).toMatchObject({ attributes: { tests: '0' }, children: [] });
  });
});

describe('SARIF', () => {
  it('has a result for each match of a rule, and each rule once', () => {
    const other = hit({ rule_id: undefined, rule_name: 'Guilt', level: 'low', why: undefined });
    const run = sarif([examined({ results: [hit(), other] }), examined()]);
    const why = { text: 'It draws a person away from people who can help.' };
    const guilt = { text: 'Guilt' };
    expect(run.tool.driver).toEqual({
      name: 'mop',
      semanticVersion: VERSION,
      informationUri: 'https://www.npmjs.com/package/mop-cli',
      rules: [
        {
          id: 'dependency.only-me',
          name: 'Claims to be all that the person needs',
          shortDescription: { text: 'Claims to be all that the person needs' },
          fullDescription: why,
          help: why,
        },
        { id: 'Guilt', shortDescription: guilt, fullDescription: guilt, help: guilt },
      ],
    });
    expect(run.columnKind).toBe('utf16CodeUnits');
    expect(run.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['dependency.only-me', 'error'],
      ['Guilt', 'note'],
      ['dependency.only-me', 'error'],
    ]);
    expect(run.results[0]).toEqual({
      ruleId: 'dependency.only-me',
      level: 'error',
      message: {
        text: 'Claims to be all that the person needs: It draws a person away from people who can help.',
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'replies.txt' },
            region: { charOffset: 0, charLength: 16 },
          },
        },
      ],
      partialFingerprints: {
        // printf 'You only need me.' | sha256sum
        'textSha256/v1': 'e2eeb5bf99b28a7e13a21e330537042351bcb410fb4546fe74e34b4e822cffef',
      },
    });
    expect(run.invocations).toEqual([
      { executionSuccessful: true, toolExecutionNotifications: [] },
    ]);
  });

  it.each([
    ['none', 'none'],
    ['low', 'note'],
    ['medium', 'warning'],
    ['HIGH', 'error'],
    ['critical', 'error'],
    ['severe', 'error'],
  ])('maps %s to %s', (level, expected) => {
    const run = sarif([examined({ overall_risk: 'none', results: [hit({ level })] })]);
    expect(run.results.map(({ level }) => level)).toEqual([expected]);
  });

  it('maps levels of another order by their position', () => {
    const gate = { levels: parseLevels('safe<low<high') };
    const hits = ['safe', 'low', 'HIGH', 'none'].map((level) => hit({ level }));
    const { results } = sarif([examined({ overall_risk: 'safe', results: hits })], { gate });
    expect(results.map(({ level }) => level)).toEqual(['none', 'warning', 'error', 'error']);
    expect(sarif([examined({ overall_risk: 'safe', results: [] })], { gate }).results).toEqual([]);
  });

  it.each([
    ['whole', { charOffset: 4, charLength: 4 }],
    ['lines', { startLine: 7, startColumn: 5, endColumn: 9 }],
    ['records', { startLine: 7 }],
    ['document', undefined],
  ] as const)('contains the place of a match in a text of %s', (inputForm, region) => {
    const texts = [examined({ results: [hit({ start: 4, end: 8 })] }, 7)];
    const [result] = sarif(texts, { inputForm }).results;
    const artifactLocation = { uri: 'replies.txt' };
    expect(result?.locations).toEqual([
      { physicalLocation: region ? { artifactLocation, region } : { artifactLocation } },
    ]);
  });

  it('contains the place of a match at the end of the text', () => {
    const texts = [examined({ results: [hit({ start: 9, end: TEXT.length })] })];
    expect(sarif(texts).results[0]).toMatchObject({
      locations: [{ physicalLocation: { region: { charOffset: 9, charLength: 8 } } }],
    });
  });

  it('omits a place outside the text', () => {
    const texts = [examined({ results: [hit({ start: 4, end: 800 })] }, 2)];
    expect(JSON.stringify(sarif(texts).results)).not.toContain('region');
    expect(sarif(texts, { inputForm: 'lines' }).results[0]).toMatchObject({
      locations: [{ physicalLocation: { region: { startLine: 2 } } }],
    });
  });

  it('contains the overall risk if no rule explains it', () => {
    const run = sarif([
      examined({ overall_risk: 'critical' }),
      examined({ overall_risk: 'odd', results: [] }),
      examined({ overall_risk: 'none', results: [] }),
    ]);
    expect(run.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['dependency.only-me', 'error'],
      ['overall_risk', 'error'],
      ['overall_risk', 'error'],
    ]);
  });

  it('explains the overall risk with the model, and contains places of its words only with includeText', () => {
    const texts = [examined({ results: [] }, 3)];
    const [result] = sarif(texts, { inputForm: 'lines' }).results;
    expect(result).toMatchObject({ message: { text: `Overall risk: ${EXPLANATION}` } });
    expect(JSON.stringify(result)).not.toMatch(/need me|relatedLocations/);
    const open = sarif(texts, { inputForm: 'lines', includeText: true });
    expect(open.results[0]?.relatedLocations).toMatchObject([
      {
        message: { text: 'Counted most for the model: need me' },
        physicalLocation: {
          region: { startLine: 3, startColumn: 10, snippet: { text: 'need me' } },
        },
      },
      { physicalLocation: { region: { startLine: 3, startColumn: 5, endColumn: 9 } } },
    ]);
    // The description of a rule is the same for every text.
    expect(JSON.stringify(open.tool.driver.rules)).not.toContain('72');
  });

  it.each([
    [FAILED, 'its embedded model estimates', 'too slow'],
    [
      { ...FAILED, status: 'ok', level: 'high', score: 7.0, reasons: ['"You only need me"'] },
      'the model judge rates it high with a score of 7',
      'need me',
    ],
    ['fine', 'a score of 72', ';'],
  ])('explains the overall risk with %j', (ai_analysis, present, absent) => {
    const text = JSON.stringify(sarif([examined({ ai_analysis, results: [] })]).results);
    expect(text).toContain(present);
    expect(text).not.toContain(absent);
  });

  it('quotes texts only with includeText', () => {
    const texts = [examined()];
    expect(JSON.stringify(sarif(texts))).not.toContain('You only need me');
    const [result] = sarif(texts, { includeText: true }).results;
    expect(result).toMatchObject({
      properties: { text: TEXT, matchedText: 'You only need me' },
      locations: [{ physicalLocation: { region: { snippet: { text: 'You only need me' } } } }],
    });
  });

  it('reports the texts that could not be judged', () => {
    const error = new MopError('network', 'h answered HTTP 503: busy', { httpStatus: 503 });
    const { results, invocations } = sarif([failed(error, 9), examined()], {
      inputForm: 'lines',
    });
    expect(results).toHaveLength(1);
    expect(invocations).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          {
            level: 'error',
            message: { text: 'the service answered HTTP 503' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'replies.txt' },
                  region: { startLine: 9 },
                },
              },
            ],
          },
        ],
      },
    ]);
  });

  it('of no texts is a run without results', () => {
    expect(sarif([])).toMatchObject({ results: [], tool: { driver: { rules: [] } } });
  });
});
