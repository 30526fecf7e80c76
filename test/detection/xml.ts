/** An element of XML 1.0 after parsing. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ATTRIBUTE = /\s+([\w-]+)="([^"<]*)"/y;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** A strict parser for the XML of reports. Throws for any other syntax. */
export function parseXml(xml: string): XmlElement {
  if (FORBIDDEN.test(xml)) throw new Error('a character that XML does not have');
  const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(prolog)) throw new Error('no XML declaration');
  let at = prolog.length;

  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = at;
    const match = sticky.exec(xml) ?? undefined;
    if (match) at = sticky.lastIndex;
    return match;
  };

  const element = (): XmlElement => {
    const name = take(/<([\w-]+)/)?.[1];
    if (name === undefined) throw new Error(`no element at ${at}`);
    const attributes: Record<string, string> = {};
    for (let match = take(ATTRIBUTE); match; match = take(ATTRIBUTE)) {
      // Unescaped white space becomes a space.
      attributes[match[1] ?? ''] = decoded((match[2] ?? '').replace(/[\t\n\r]/g, ' '));
    }
    if (!take(/>/)) throw new Error(`a tag without end at ${at}`);
    const children: XmlElement[] = [];
    let text = '';
    while (!take(new RegExp(`</${name}>`))) {
      const words = take(/[^<]+/)?.[0];
      if (words === undefined) children.push(element());
      else text += words;
    }
    if (text.includes(']]>')) throw new Error('the end of a CDATA section outside of one');
    const read = decoded(text.replace(/\r\n?/g, '\n'));
    return { name, attributes, children, text: children.length > 0 ? read.trim() : read };
  };

  const root = element();
  if (xml.slice(at) !== '\n') throw new Error('something behind the root');
  return root;
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));|&/g, (all, code?: string, name?: string) => {
    const character =
      code === undefined ? ENTITIES[name ?? ''] : String.fromCodePoint(Number(code));
    if (character === undefined) throw new Error(`what is ${all}?`);
    return character;
  });
}
