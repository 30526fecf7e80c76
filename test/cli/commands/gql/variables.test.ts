import { describe, expect, it } from 'vitest';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, file } from '../../support.ts';
import { sentTo, service } from './support.ts';

describe('variables', () => {
  it('are typed by their declarations', () =>
    checkRows<[types: string, args: string[], expected: string]>(
      [
        ['$n: Int', ['-F', 'n=5'], '{"n":5}'],
        ['$n: Int!', ['-F', 'n=-2147483648'], '{"n":-2147483648}'],
        ['$n: Float', ['-F', 'n=1.0'], '{"n":1.0}'],
        ['$n: Float', ['-F', 'n=1e2'], '{"n":1e2}'],
        ['$n: Float', ['-F', 'n=-0'], '{"n":-0}'],
        ['$n: Float', ['-F', 'n=3'], '{"n":3}'],
        ['$n: Int', ['-f', 'n=5'], '{"n":5}'],
        ['$b: Boolean', ['-F', 'b=true'], '{"b":true}'],
        ['$s: String', ['-F', 's=5'], '{"s":"5"}'],
        ['$s: String', ['-F', 's=007'], '{"s":"007"}'],
        ['$s: String', ['-F', 's=true'], '{"s":"true"}'],
        ['$s: String', ['-F', 's=1.0'], '{"s":"1.0"}'],
        ['$s: String', ['-F', 's='], '{"s":""}'],
        ['$s: String', ['-F', 's=a=b'], '{"s":"a=b"}'],
        ['$s: String', ['-F', 's={"a":1}'], '{"s":"{\\"a\\":1}"}'],
        ['$s: String', ['-F', 's="quoted"'], '{"s":"quoted"}'],
        ['$s: String', ['-f', 's="quoted"'], '{"s":"\\"quoted\\""}'],
        ['$s: String', ['-f', 's=@file'], '{"s":"@file"}'],
        ['$s: String', ['-F', 's=null'], '{"s":null}'],
        ['$s: String', ['-f', 's=null'], '{"s":"null"}'],
        ['$s: String!', ['-F', 's=null'], '{"s":"null"}'],
        ['$n: Int', ['-F', 'n=null'], '{"n":null}'],
        ['$i: ID!', ['-F', 'i=1234567890123456789'], '{"i":"1234567890123456789"}'],
        ['$i: ID!', ['-F', 'i=0x1F'], '{"i":"0x1F"}'],
        ['$l: [Int!]!', ['-F', 'l=[1,2]'], '{"l":[1,2]}'],
        ['$l: [Int!]!', ['-F', 'l=1'], '{"l":[1]}'],
        ['$l: [Int!]!', ['-F', 'l[]=1', '-F', 'l[]=2'], '{"l":[1,2]}'],
        [
          '$l: [String]',
          ['-F', 'l[]=1', '-F', 'l[]=null', '-f', 'l[]=null'],
          '{"l":["1",null,"null"]}',
        ],
        ['$l: [String]', ['-F', 'l=null'], '{"l":null}'],
        ['$l: [String]!', ['-F', 'l=[]'], '{"l":[]}'],
        ['$l: [String]!, $i: In', ['-f', 'l[]', '-F', 'i[a][]'], '{"l":[],"i":{"a":[]}}'],
        ['$l: [[Int]]', ['-F', 'l=[[1],[2,3]]'], '{"l":[[1],[2,3]]}'],
        [
          '$i: In',
          ['-F', 'i[a]=1', '-F', 'i[b]=x', '-f', 'i[c]=1'],
          '{"i":{"a":1,"b":"x","c":"1"}}',
        ],
        ['$i: In', ['-F', 'i[t][]=1.0', '-F', 'i[t][]=x'], '{"i":{"t":[1.0,"x"]}}'],
        [
          '$l: [In!]',
          ['-F', 'l[][a]=1', '-F', 'l[][b]=2', '-F', 'l[][a]=3'],
          '{"l":[{"a":1,"b":2},{"a":3}]}',
        ],
        ['$i: In', ['-F', 'i={a: 1.0, b: [RED]}'], '{"i":{"a":1.0,"b":["RED"]}}'],
        ['$c: Color', ['-F', 'c=RED'], '{"c":"RED"}'],
        [
          '$j: JSON',
          ['-F', 'j={"a":[1.0,12345678901234567890]}'],
          '{"j":{"a":[1.0,12345678901234567890]}}',
        ],
        ['$j: Long', ['-F', 'j=12345678901234567890'], '{"j":12345678901234567890}'],
        ['$a: Int = 1, $b: Int! = 2', [], ''],
        ['$a: Int, $b: Int', ['-F', 'b=2'], '{"b":2}'],
        ['$a: Int', ['--variables', '{"a":1}'], '{"a":1}'],
        ['$a: Int', ['--variables', ' {\n"a" : 1 } '], '{"a":1}'],
        ['$a: String', ['--variables', '{"a":"5"}'], '{"a":"5"}'],
        ['$a: Float, $b: Int', ['--variables', '{"a":1.0}', '-F', 'b=2'], '{"a":1.0,"b":2}'],
        ['$i: In', ['--variables', '{"i":{"a":1.0}}', '-F', 'i[b]=2'], '{"i":{"a":1.0,"b":2}}'],
      ],
      async ([types, args, expected]) => {
        const { gql, requests } = await service();
        const document = `query (${types}) { a }`;
        const { code, stderr } = await gql([document, ...args]);
        expect([code, stderr]).toEqual([0, '']);
        const variables = expected === '' ? '' : `,"variables":${expected}`;
        expect(requests[0]?.body).toBe(`{"query":"${document}"${variables}}`);
      },
    ));

  it('come from files and standard input', async () => {
    const { gql, ...server } = await service();
    const variables = await file('\ufeff{"a": 1, "b": [1]}');
    const text = await file('two\nlines\n');
    const block = await file('{"deep": [1]}\n');
    const document = 'query ($a: Int, $b: [Int], $s: String, $j: JSON, $n: Int) { a }';
    await gql([document, '--variables', `@${variables}`]);
    await gql([document, '--variables', '-'], { stdin: '{"a":2}' });
    await gql([document, '-F', `s=@${text}`, '-F', `j=@${block}`]);
    await gql([document, '-F', 's=@-'], { stdin: 'in' });
    await gql([document, '-F', `n=@${await file('7')}`]);
    expect(sentTo(server).map(({ variables }) => variables)).toEqual([
      { a: 1, b: [1] },
      { a: 2 },
      { s: 'two\nlines\n', j: { deep: [1] } },
      { s: 'in' },
      { n: 7 },
    ]);
  });

  it('that are missing, mistyped or undeclared are refused, and nothing is sent', () =>
    checkRows<[types: string, args: string[], message: string]>(
      [
        ['($n: Int!)', [], '"$n"'],
        ['($n: Int!)', ['-F', 'n=null'], '"$n"'],
        ['($n: Int)', ['-F', 'n=x'], '"$n"'],
        ['($n: Int)', ['-F', 'n=1.5'], '"$n"'],
        ['($n: Int)', ['-F', 'n=2147483648'], '"$n"'],
        ['($n: Int)', ['-F', 'n='], '"$n"'],
        ['($n: Int)', ['-F', 'n={"a":1}'], '"$n"'],
        ['($n: Float)', ['-F', 'n=x'], '"$n"'],
        ['($b: Boolean)', ['-F', 'b=1'], '"$b"'],
        ['($b: Boolean)', ['-F', 'b=True'], '"$b"'],
        ['($l: [Int!])', ['-F', 'l=[1,null]'], '"$l"'],
        ['($l: [Int!])', ['-F', 'l[]=x'], '"$l"'],
        ['($s: String)', ['--variables', '{"s":5}'], '"$s"'],
        ['($a: Int!, $b: Int!)', [], '(and 1 more)'],
        ['($a: Int)', ['-F', 'b=1'], 'declares no variable $b'],
        ['', ['-F', 'b=1'], 'declares no variable $b'],
        ['', ['--variables', '{"b":null}'], 'declares no variable $b'],
        ['($a: Int)', ['-F', 'a=1', '-F', 'a=2'], 'a is given twice'],
        ['($a: Int)', ['-F', 'a=1', '-f', 'a=2'], 'a is given twice'],
        [
          '($a: In)',
          ['-F', 'a[x]=1', '-F', 'a[]=2'],
          'a is given as a list and as another kind of value',
        ],
        [
          '($a: In)',
          ['-F', 'a[]=1', '-F', 'a[x]=2'],
          'a is given as an object and as another kind of value',
        ],
        ['($a: Int)', ['-F', 'a'], '-F takes key=value'],
        ['($a: Int)', ['-f', '=1'], '-f takes key=value'],
        ['($a: Int)', ['-F', '[a]=1'], 'is not the name of a variable'],
        ['($a: Int)', ['-F', 'a[=1'], 'is not the name of a variable'],
        ['($a: Int)', ['-F', 'a=@/does/not/exist'], 'there is no such file'],
        ['($a: Int)', ['--variables', '@/does/not/exist'], 'there is no such file'],
        ['($a: Int)', ['--variables', '{"a":'], 'the variables are not JSON'],
        ['($a: Int)', ['--variables', ''], 'the variables are not JSON'],
        ['($a: Int)', ['--variables', '[1]'], 'not a JSON object'],
        ['($a: Int)', ['--variables', 'null'], 'not a JSON object'],
      ],
      async ([types, args, message]) => {
        const { gql, requests } = await service();
        expectFailure(await gql([`query ${types} { a }`, ...args]), 2, message);
        expect(requests).toEqual([]);
      },
    ));

  // Servers differ in which of the two they use.
  it('given twice in one JSON object are refused', async () => {
    const { gql, requests } = await service();
    const args = ['query ($a: Int) { a }', '--variables', '{"a":"no number","a":2}'];
    expect((await gql(args)).code).toBe(2);
    expect(requests).toEqual([]);
  });

  it('are those of the selected operation', async () => {
    const { gql, ...server } = await service();
    const document = 'query A($n: Int!) { a } query B($s: String) { b }';
    expect((await gql([document, '--operation', 'B', '-F', 's=1'])).code).toBe(0);
    expectFailure(
      await gql([document, '--operation', 'B', '-F', 'n=1']),
      2,
      'declares no variable $n',
      '$s: String',
    );
    expect(sentTo(server)).toEqual([
      { query: document, operationName: 'B', variables: { s: '1' } },
    ]);
  });
});
