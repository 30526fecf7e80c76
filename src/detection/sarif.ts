import { createHash } from 'node:crypto';
import type { Level } from '../protocol/detection.ts';
import { VERSION } from '../version.ts';
import { placeText } from './contents/contents.ts';
import {
  type Examined,
  errorText,
  type Finding,
  findingsIn,
  type Report,
  type ReportOptions,
} from './report.ts';

/** The levels of SARIF. An unknown level is an error. */
const SARIF_LEVELS: Readonly<Record<Level, string>> = {
  none: 'none',
  low: 'note',
  medium: 'warning',
  high: 'error',
  critical: 'error',
};

type Place = Pick<Finding, 'span' | 'matchedText'>;

/** SARIF 2.1.0: one run of mop, a result for each finding. */
export class SarifReport implements Report {
  readonly #options: ReportOptions;
  readonly #rules = new Map<string, object>();
  readonly #results: object[] = [];
  readonly #failed: object[] = [];

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  add(examined: Examined): void {
    if ('error' in examined) {
      const text = errorText(examined.error, this.#options.includeText);
      const locations = [this.#location(examined.line)];
      this.#failed.push({ level: 'error', message: { text }, locations });
      return;
    }
    const { line, text, detection, content } = examined;
    // Places in a content are not places in the file.
    const placed = (place: Place) => (content ? undefined : place);
    const fingerprint = createHash('sha256').update(text).digest('hex');
    const { includeText, gate } = this.#options;
    const { levels } = gate;
    for (const finding of findingsIn(detection, includeText, levels)) {
      const { ruleName, ruleId = ruleName, level, why, matchedText, words = [] } = finding;
      const severity = levels.severity(level);
      const description = { text: finding.about ?? why ?? ruleName };
      this.#rules.set(ruleId, {
        id: ruleId,
        // Omit a name that equals the id (SARIF1001).
        ...(ruleName !== ruleId && { name: ruleName }),
        shortDescription: { text: ruleName },
        // GitHub requires both (GH2012).
        fullDescription: description,
        help: description,
      });
      this.#results.push({
        ruleId,
        level: severity ? SARIF_LEVELS[severity] : 'error',
        message: { text: (why ? `${ruleName}: ${why}` : ruleName) + placeText(content) },
        locations: [this.#location(line, placed(finding), text)],
        partialFingerprints: { 'textSha256/v1': fingerprint },
        ...(words.length > 0 && {
          relatedLocations: words.map((word) => ({
            ...this.#location(line, placed({ span: word.span, matchedText: word.text }), text),
            message: { text: `Counted most for the model: ${word.text}` },
          })),
        }),
        ...(includeText && { properties: { text, matchedText } }),
      });
    }
  }

  *content(): Generator<string> {
    const log = {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'mop',
              semanticVersion: VERSION,
              informationUri: 'https://www.npmjs.com/package/mop-cli',
              rules: [...this.#rules.values()],
            },
          },
          invocations: [
            {
              executionSuccessful: this.#failed.length === 0,
              toolExecutionNotifications: this.#failed,
            },
          ],
          columnKind: 'utf16CodeUnits',
          results: this.#results,
        },
      ],
    };
    yield* jsonPieces(log);
    yield '\n';
  }

  #location(line: number, place?: Place, text = ''): object {
    const region = this.#region(line, place, text);
    return {
      physicalLocation: {
        artifactLocation: { uri: this.#options.source },
        ...(region && { region }),
      },
    };
  }

  #region(line: number, place: Place | undefined, text: string): object | undefined {
    const { inputForm, includeText } = this.#options;
    const { span, matchedText } = place ?? {};
    const isInText = span !== undefined && span.end <= text.length;
    const snippet = includeText && matchedText ? { snippet: { text: matchedText } } : {};
    // The place of a field in its document is unknown.
    if (inputForm === 'document') return undefined;
    if (inputForm === 'whole') {
      return isInText
        ? { charOffset: span.start, charLength: span.end - span.start, ...snippet }
        : undefined;
    }
    // The column of a text is known only when the text is the whole line.
    return inputForm === 'lines' && isInText
      ? { startLine: line, startColumn: span.start + 1, endColumn: span.end + 1, ...snippet }
      : { startLine: line };
  }
}

/** Indented JSON as `JSON.stringify` writes it, in chunks. */
function* jsonPieces(value: unknown, indent = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
    return;
  }
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  const inner = `${indent}  `;
  let isEmpty = true;
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue;
    yield `${isEmpty ? open : ','}\n${inner}${isArray ? '' : `${JSON.stringify(name)}: `}`;
    yield* jsonPieces(each, inner);
    isEmpty = false;
  }
  yield isEmpty ? open + close : `\n${indent}${close}`;
}
