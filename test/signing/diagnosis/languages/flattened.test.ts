import { describe, expect, it } from 'vitest';
import { flattened, NESTED_NAMES } from '../../../../src/signing/diagnosis/languages/flattened.ts';
import { signedContent } from '../../../../src/signing/received-request.ts';
import { valueText } from '../../../../src/signing/value-text.ts';

/** The fields of a body, split, as `name=value`. */
function split(json: string, title: string): readonly string[] {
  const names = NESTED_NAMES.find((candidate) => candidate.title.startsWith(title));
  if (!names) throw new Error(`no names ${title}`);
  const { fields } = signedContent({ body: json.replace(/}$/, ',"sign":"X"}') });
  const own = fields.filter(({ name }) => name !== 'sign');
  return flattened(own, names).map(({ name, value }) => `${name}=${valueText(value)}`);
}

const NESTED = '{"x":1,"o":{"z":"中","i":{"k":true}},"l":[7,{"k":null},[false]],"e":{},"v":[]}';

/** The first by PHP 8.2: `http_build_query(json_decode($json, true))`, decoded. */
describe('flattened', () => {
  it.each([
    ['a[b]=, a[0]=, true as 1', ['x=1', 'o[z]=中', 'o[i][k]=1', 'l[0]=7', 'l[2][0]=0']],
    ['a[b]=, a[0]=', ['x=1', 'o[z]=中', 'o[i][k]=true', 'l[0]=7', 'l[1][k]=null', 'l[2][0]=false']],
    ['a.b=, a[0]=', ['x=1', 'o.z=中', 'o.i.k=true', 'l[0]=7', 'l[1].k=null', 'l[2][0]=false']],
    ['a.b=, a.0=', ['x=1', 'o.z=中', 'o.i.k=true', 'l.0=7', 'l.1.k=null', 'l.2.0=false']],
    ['a[b]=, a[]=', ['x=1', 'o[z]=中', 'o[i][k]=true', 'l[]=7', 'l[][k]=null', 'l[][]=false']],
    ['a[b]=, a= for', ['x=1', 'o[z]=中', 'o[i][k]=true', 'l=7', 'l[k]=null', 'l=false']],
    ['a.b=, a= for', ['x=1', 'o.z=中', 'o.i.k=true', 'l=7', 'l.k=null', 'l=false']],
    ['a_b=, a_0=', ['x=1', 'o_z=中', 'o_i_k=true', 'l_0=7', 'l_1_k=null', 'l_2_0=false']],
    ['b=, without', ['x=1', 'z=中', 'k=true', 'l=7', 'k=null', 'l=false']],
  ])('%s', (title, expected) => {
    expect(split(NESTED, title)).toEqual(expected);
  });

  it('keeps the place of the outer field', () => {
    const { fields } = signedContent({ body: '{"sign":"X","o":{"a":1,"b":2}}' });
    const [names] = NESTED_NAMES;
    const positions = flattened(fields, names as (typeof NESTED_NAMES)[0]);
    expect(positions.map(({ name, position }) => [name, position])).toEqual([
      ['sign', 0],
      ['o[a]', 1],
      ['o[b]', 1],
    ]);
  });

  it('gives each notation a distinct title', () => {
    expect(new Set(NESTED_NAMES.map(({ title }) => title)).size).toBe(NESTED_NAMES.length);
  });
});
