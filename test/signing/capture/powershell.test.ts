import { describe, expect, it } from 'vitest';
import { readCapture, readCaptures } from '../../../src/signing/capture/read-capture.ts';
import { FILES, failure, PLAIN_BODY, readRight, SIGNED_BODY, SIGNED_HEADERS } from './support.ts';

/** A text as Chrome's developer tools quote it for PowerShell. */
function chromeText(text: string): string {
  const escaped = text
    .replace(/[`$"]/g, '`$&')
    .replace(/[^\x20-\x7e]/g, (character) => `$([char]${character.charCodeAt(0)})`);
  return `"${escaped}"`;
}

const PREAMBLE = `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36"
$session.Cookies.Add((New-Object System.Net.Cookie("k", "v", "/", "host")))
`;
const CHROME = `${PREAMBLE}Invoke-WebRequest -UseBasicParsing -Uri "https://host/open/v1/x" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"Accept"="*/*"
  "Accept-Language"="en-US,en;q=0.9"
  "sec-ch-ua"="\`"Chromium\`";v=\`"131\`""
} \`
-ContentType "application/json" \`
-Body ([System.Text.Encoding]::UTF8.GetBytes(${chromeText(SIGNED_BODY)}))`;

describe('PowerShell commands', () => {
  it.each<[tool: string, text: string]>([
    ['Chrome and Edge', CHROME],
    ['Chrome and Edge, with the line ends of Windows', CHROME.replaceAll('\n', '\r\n')],
    [
      'a script with variables',
      `# the request
$Url = 'https://host/open/v1/x'
$headers = @{ 'Content-Type' = 'application/json'; Accept = "*/*" }
$body = @'
${SIGNED_BODY}
'@
$response = Invoke-RestMethod -Method Post -Uri $url -Headers $headers -Body $BODY
$response | ConvertTo-Json`,
    ],
    [
      'Postman',
      `$headers = New-Object "System.Collections.Generic.Dictionary[[String],[String]]"
$headers.Add("Content-Type", "application/json")

$body = @"
${SIGNED_BODY.replace(/[`$"]/g, '`$&')}
"@

$response = Invoke-RestMethod 'https://host/open/v1/x' -Method 'POST' -Headers $headers -Body $body
$response | ConvertTo-Json`,
    ],
    [
      'a splatted table',
      `$params = @{
  Uri = "https://host/open/v1/x"
  Method = "POST"
  Body = '${SIGNED_BODY.replaceAll("'", "''")}' # the body
  ContentType = "application/json"
}
$r = (Invoke-WebRequest @params -TimeoutSec 30).Content`,
    ],
    [
      'a short command',
      `PS C:\\> irm https://host/open/v1/x -me post -b '${SIGNED_BODY.replaceAll("'", "''")}' -cont application/json | Out-Null`,
    ],
  ])('%s', async (_, text) => {
    const { headers, ...request } = await readRight(text);
    expect(request).toMatchObject({
      format: 'powershell',
      method: 'POST',
      url: 'https://host/open/v1/x',
      body: SIGNED_BODY,
    });
    expect(headers).toContainEqual(['Content-Type', 'application/json']);
  });

  it('are read with signed headers', async () => {
    const table = SIGNED_HEADERS.map(([name, value]) => `"${name}"="${value}"`).join('\n  ');
    const text = `irm "https://host/api/open/x" \`\n-Method "POST" \`\n-Headers @{\n${table}\n} \`\n-Body ${chromeText(PLAIN_BODY)}`;
    expect((await readRight(text)).headers).toEqual(SIGNED_HEADERS);
  });

  it('are read from "Copy all as PowerShell"', async () => {
    const page = `${PREAMBLE}Invoke-WebRequest -UseBasicParsing -Uri "https://host/";\n`;
    const found = await readCaptures(`${page}${CHROME};\n${page}`);
    expect(found.map(({ entry }) => entry)).toEqual([2]);
    expect(found[0]?.read().body).toBe(SIGNED_BODY);
  });

  it.each<[value: string, text: string]>([
    ['"{`"a`":`"b``c`td`$e""$([char]0x4e2d)$([char]26477)$`"}"', '{"a":"b`c\td$e"中杭$"}'],
    ['\'{"a":"$b\'\'`c"}\'', '{"a":"$b\'`c"}'],
    ['@"\n{"a":"""$x$' + '{x}"}\n"@', '{"a":"""11"}'],
    ["@'\n{\"a\":'$x'}\n\n'@", '{"a":\'$x\'}\n'],
    ['$x', '1'],
    ['([string] "{$x}")', '{1}'],
  ])('may have the value %j', async (value, text) => {
    const command = `$x = 1\nirm u -Headers @{a=${value}} -Body '{}'`;
    expect((await readCapture(command)).headers).toEqual([['a', text]]);
  });

  it('read the file of -InFile', async () => {
    expect((await readCapture('iwr u -Method Put -InFile one-line.json', FILES)).body).toBe(
      '{"a":1}',
    );
  });

  it.each([
    ['irm u -Body $body', 'the value of "$body" is not in the text (line 1 column 13)'],
    ['irm u -Body "{`"t`":$ts}"', 'the value of "$ts}\\"" is not in the text'],
    ['$ts = Get-Date -UFormat %s\n$b = "{`"t`":$(now)}"\nirm u -Body $b', 'the value of "$(now)}\\"" is not in the text (line 2'], // biome-ignore format: a table
    ['$b = @{a=1} | ConvertTo-Json\nirm u -Body $b', 'the output of ConvertTo-Json is not in the command (line 1 column 6)'], // biome-ignore format: a table
    ['irm u -Body (@{a=1}|ConvertTo-Json)', 'the output of ConvertTo-Json'],
    ['irm u -Body @{a=1}', '-body is a hash table, which PowerShell sends as a form'],
    ['irm u -Body ("{" + "}")', 'the value of "\\"{\\"" is not in the text'],
    ['irm u -Form @{a=1}', 'a -Form cannot be read'],
    ['irm u -Headers x -Body y', '-Headers is not a hash table'],
    ['irm u -Body', 'the command ends after -Body, which takes a value'],
    ['irm u -Body "{', 'a double quote is not closed'],
    ["irm u -Body '{", 'a single quote is not closed'],
    ['irm u -Body @"\n{', 'a here-string is not closed'],
    ['irm u -Headers @{a="b"', 'a hash table is not closed'],
    ['irm u -InFile missing', '-InFile: cannot read "missing"'],
    [`irm u -Body ${'('.repeat(1000)}`, 'it is nested too deeply'],
    ['irm u', 'the body is empty'],
  ])('%j is rejected', async (text, message) => {
    expect(await failure(text, FILES)).toContain(`read as a PowerShell command: ${message}`);
  });
});
