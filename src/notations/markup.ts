/** The comments of HTML and XML, and the text around them. */
export function splitComments(text: string): {
  readonly comments: readonly string[];
  readonly rest: string;
} {
  const comments: string[] = [];
  let rest = '';
  let done = 0;
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', done)) {
    const end = text.indexOf('-->', start + 4);
    if (end === -1) break;
    comments.push(text.slice(start + 4, end));
    rest += text.slice(done, start);
    done = end + 3;
  }
  return { comments, rest: rest + text.slice(done) };
}

const TAG = /<!\[CDATA\[|\]\]>|<\/?[A-Za-z][\w:.-]{0,80}(?:\s[^<>]{0,1000})?>/g;
const INLINE = /<\/?(?:a|b|code|em|font|i|mark|span|strong|u|wbr)(?:\s[^<>]{0,1000})?\/?>/gi;

/** Removes the tags of XML and HTML, and the marks of CDATA: those between lines become line ends. */
export function withoutMarkup(text: string): readonly string[] {
  const results = [text.replace(INLINE, '').replace(TAG, '\n'), text.replace(TAG, '\n')];
  return results.filter((result) => result !== text);
}
