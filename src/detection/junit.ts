import type { MopError } from '../errors.ts';
import { placeText } from './contents/contents.ts';
import { isGate, judge, riskText } from './gate.ts';
import type { Levels } from './levels.ts';
import {
  type Examined,
  errorText,
  type Finding,
  findingsIn,
  type Report,
  type ReportOptions,
} from './report.ts';

/**
 * JUnit XML: a test case for each text. It fails when the gate stops the text; without a gate, at
 * level high or above.
 */
export class JunitReport implements Report {
  readonly #options: ReportOptions;
  readonly #cases: string[] = [];
  #failures = 0;
  #errors = 0;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  add(examined: Examined): void {
    const { source, inputForm, includeText } = this.#options;
    const name = `${inputForm === 'whole' || inputForm === 'document' ? 'text' : 'line'} ${examined.line}`;
    const inner =
      'error' in examined
        ? [this.#error(examined.error)]
        : [
            ...this.#failure(examined),
            ...(includeText ? [element('system-out', {}, escaped(examined.text))] : []),
          ];
    this.#cases.push(element('testcase', { name, classname: source }, inner.join('')));
  }

  *content(): Generator<string> {
    const attributes = {
      name: 'mop detect',
      tests: this.#cases.length,
      failures: this.#failures,
      errors: this.#errors,
    };
    yield `<?xml version="1.0" encoding="UTF-8"?>\n${opening('testsuite', attributes)}\n`;
    for (const each of this.#cases) yield `${each}\n`;
    yield '</testsuite>\n';
  }

  #error(error: MopError): string {
    this.#errors++;
    const message = errorText(error, this.#options.includeText);
    return element('error', { type: error.code, message });
  }

  #failure({ detection, content }: Extract<Examined, { text: string }>): string[] {
    const { gate, includeText } = this.#options;
    const { levels } = gate;
    const isOpen = !isGate(gate);
    const { failure } = judge(detection, isOpen ? { levels, failOn: failingLevel(levels) } : gate);
    if (!failure) return [];
    this.#failures++;
    const findings = findingsIn(detection, includeText, levels).map((each) =>
      lines(each, includeText),
    );
    // Without a gate, no option stopped the text.
    const message = (isOpen ? riskText(detection, levels) : failure.message) + placeText(content);
    return [element('failure', { type: failure.code, message }, escaped(findings.join('')))];
  }
}

/** The lowest level that fails a text without a gate. */
function failingLevel(levels: Levels): string | undefined {
  return levels.names.find((name) => /^(?:high|critical)$/.test(levels.severity(name) ?? ''));
}

function lines(finding: Finding, includeText: boolean): string {
  const { level, ruleName, why, matchedText, words = [] } = finding;
  const matched = includeText && matchedText ? ` [${matchedText}]` : '';
  const counted = words.map(
    ({ text, span }) => `  counted most: [${text}] at ${span.start} to ${span.end}\n`,
  );
  return `${level}: ${ruleName}${matched}${why ? `: ${why}` : ''}\n${counted.join('')}`;
}

type Attributes = Readonly<Record<string, string | number>>;

/** @param content The content of the element, as XML. */
function element(name: string, attributes: Attributes, content = ''): string {
  return `${opening(name, attributes)}${content}</${name}>`;
}

function opening(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(String(value))}"`,
  );
  return `<${name}${written.join('')}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text for an element or an attribute. Characters that XML 1.0 forbids are replaced. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, even escaped.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      // A reader would normalise other white space in an attribute, and any carriage return.
      .replace(/[&<>"\t\n\r]/g, (each) => ENTITIES[each] ?? `&#${each.charCodeAt(0)};`)
  );
}
