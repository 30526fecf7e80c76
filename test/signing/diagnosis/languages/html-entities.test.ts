import { describe, expect, it } from 'vitest';
import {
  HTML_ESCAPES,
  htmlUnescaped,
  shownAsHtml,
} from '../../../../src/signing/diagnosis/languages/html-entities.ts';

const TEXT = 'a & b < c > d " e \' f / ` = &amp; é 中';

/** The escapes of {@link TEXT}, by PHP 8.2, Python 3.11 and Go 1.19. */
describe('HTML_ESCAPES', () => {
  it.each([
    // htmlspecialchars($text), which takes both quotes since PHP 8.1
    ['& < > and quotes (htmlspecialchars of PHP)', '&quot;', '&#039;'],
    // html.escape(text)
    ['& < > " \' (html.escape of Python)', '&quot;', '&#x27;'],
    // html.EscapeString(text) and template.HTMLEscapeString(text)
    ["& < > \" ' (Go's template.HTMLEscapeString)", '&#34;', '&#39;'],
    // htmlspecialchars($text, ENT_QUOTES | ENT_XML1)
    ['& < > " \' (XML)', '&quot;', '&apos;'],
    // htmlspecialchars($text, ENT_COMPAT)
    ['& < > "', '&quot;', "'"],
    // htmlspecialchars($text, ENT_NOQUOTES), html.escape(text, quote=False)
    ['& < >', '"', "'"],
    // Not run: after the documentation of lodash.escape.
    ['& < > " \' (JavaScript libraries)', '&quot;', '&#39;'],
  ])('%s', (name, double, single) => {
    const named = HTML_ESCAPES.find((candidate) => candidate.name === name);
    expect(named?.apply(TEXT)).toBe(
      `a &amp; b &lt; c &gt; d ${double} e ${single} f / \` = &amp;amp; é 中`,
    );
  });

  it('are all different', () => {
    expect(new Set(HTML_ESCAPES.map(({ apply }) => apply(TEXT))).size).toBe(HTML_ESCAPES.length);
  });

  it.each(HTML_ESCAPES)('are undone: $name', ({ apply }) => {
    expect(htmlUnescaped(apply(TEXT))).toBe(TEXT);
  });
});

describe('htmlUnescaped', () => {
  it.each([
    ['&#039;&#39;&#x27;&apos;', "''''"],
    ['&#34;&#x22;&quot;', '"""'],
    ['&lt;b&gt; &amp; c', '<b> & c'],
    ['&AMP;', '&'],
    ['&amp;lt;', '&lt;'],
    ['&nbsp; &eacute; &#20013;', '&nbsp; &eacute; &#20013;'],
    ['&amp', '&amp'],
    ['a&b=1', 'a&b=1'],
  ])('%s is %s', (text, expected) => {
    expect(htmlUnescaped(text)).toBe(expected);
  });
});

/** By html.unescape of Python 3.11, which follows the HTML standard as browsers do. */
describe('shownAsHtml', () => {
  it.each([
    ['a=1&timestamp=2', 'a=1×tamp=2'],
    ['&notify=1', '¬ify=1'],
    ['&copy=1&region=2&section=3', '©=1®ion=2§ion=3'],
    ['&params=1&current=2&center=3', '¶ms=1¤t=2¢er=3'],
    ['&yen=1&degree=2&micro=1', '¥=1°ree=2µ=1'],
    ['&divide&pound&eth&uml&shy', '÷£ð¨\u00ad'],
    ['&amp;x&lt;y&gt;&quot;', '&x<y>"'],
    ['&lt=1&gt=2&quot=3', '<=1>=2"=3'],
    ['&parameter=1&amount=2', '¶meter=1&amount=2'],
    ['&nonce=1&order_id=1&seq_id', '&nonce=1&order_id=1&seq_id'],
    ['', ''],
  ])('%s is %s', (text, expected) => {
    expect(shownAsHtml(text)).toBe(expected);
  });
});
