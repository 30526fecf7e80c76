const TAG = /<!\[CDATA\[|\]\]>|<\/?[A-Za-z][\w:.-]{0,80}(?:\s[^<>]{0,1000})?>/g;
/** Tags within a line, such as the marks around a found word. */
const INLINE = /<\/?(?:a|b|code|em|font|i|mark|span|strong|u|wbr)(?:\s[^<>]{0,1000})?\/?>/gi;

/** Removes the tags of XML and HTML, and the marks of CDATA: those between lines become line ends. */
export function withoutMarkup(text: string): readonly string[] {
  const results = [text.replace(INLINE, '').replace(TAG, '\n'), text.replace(TAG, '\n')];
  return results.filter((result) => result !== text);
}
