<?php

/**
 * Signs a request to the mobility open platform and sends it.
 * Protocol 1.0: the common fields and the signature are part of the body.
 *
 * Run it with the secret in the variable MOP_API_SECRET: php sign.php
 */

declare(strict_types=1);

const URL = 'http://127.0.0.1:7800/open/v1/trade/bill';
// The sandbox: start it with `mop sandbox`, and set MOP_API_SECRET=sandbox-secret.
const API_KEY = 'sandbox';
const BODY = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';

// Without these flags, json_encode writes \u676d for 杭 and \/ for /.
const JSON_FLAGS = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES
    | JSON_UNESCAPED_LINE_TERMINATORS;

/**
 * Reads a JSON object as [name, value] pairs, each value as compact JSON text.
 *
 * json_decode would change the fields. It turns an empty object into [], the name "10" into an
 * integer and 1.0e2 into 100.0. It also keeps only the last of several fields with one name.
 */
function read_fields(string $json_text): array
{
    check_json($json_text);
    preg_match_all('~"(?:[^"\\\\]++|\\\\.)*+"|[{}[\]:,]|[^\s{}[\]:,"]++~', $json_text, $matches);
    $tokens = array_map(compact_token(...), $matches[0]);
    if ($tokens[0] !== '{') {
        throw new UnexpectedValueException('the body is not a JSON object');
    }

    $fields = [];
    $seen = [];
    $at = 1;
    while ($at < count($tokens) - 1) {
        $name = decoded($tokens[$at]);
        if (isset($seen[$name])) {
            throw new UnexpectedValueException('the field ' . encoded($name) . ' occurs twice');
        }
        $seen[$name] = true;
        $at += 2; // after the colon
        $value = '';
        for ($depth = 0; $depth > 0 || !in_array($tokens[$at], [',', '}'], true); $at++) {
            $depth += match ($tokens[$at]) { '{', '[' => 1, '}', ']' => -1, default => 0 };
            $value .= $tokens[$at];
        }
        $fields[] = [$name, $value];
        $at++; // after the comma
    }
    return $fields;
}

/** Refuses a text that is not JSON. */
function check_json(string $json_text): void
{
    // json_decode also refuses half a surrogate pair, which a nested value may contain.
    $whole = preg_replace_callback(
        '~\\\\(?:u[dD][89a-fA-F][\da-fA-F]{2}|.)~s',
        fn (array $match) => strlen($match[0]) > 2 ? '?' : $match[0],
        $json_text,
    );
    json_decode($whole, true, 512, JSON_THROW_ON_ERROR);
}

/** A token as compact JSON writes it, with only the necessary escapes. */
function compact_token(string $token): string
{
    // json_decode also accepts TRUE and Null.
    if (ctype_alpha($token) && !in_array($token, ['true', 'false', 'null'], true)) {
        throw new UnexpectedValueException("$token is not JSON");
    }
    return preg_replace_callback(
        '~\\\\(?:u[dD][89abAB]..\\\\u[dD][c-fC-F]..|u....|.)~',
        fn (array $match) => match (true) {
            $match[0] === '\/' => '/',
            strlen($match[0]) === 2 => $match[0],
            strlen($match[0]) === 6 && preg_match('~^..d[89a-f]~i', $match[0]) === 1
                => strtolower($match[0]),
            default => substr(encoded(decoded("\"$match[0]\"")), 1, -1),
        },
        $token,
    );
}

function encoded(string $text): string
{
    return json_encode($text, JSON_FLAGS);
}

function decoded(string $string_token): string
{
    return json_decode($string_token, false, 512, JSON_THROW_ON_ERROR);
}

/** Writes [name, JSON text] pairs as a JSON object. */
function json_of(array $fields): string
{
    $members = array_map(fn ($field) => encoded($field[0]) . ":$field[1]", $fields);
    return '{' . implode(',', $members) . '}';
}

/** The text of a value in the signature: the characters of a string, the JSON of anything else. */
function text_of(string $value): string
{
    return str_starts_with($value, '"') ? decoded($value) : $value;
}

/** MD5 of the sorted name=value pairs and the secret, in upper-case hex. */
function signature(array $pairs, string $secret): string
{
    // Names are sorted by UTF-16 code unit: ksort would compare "10" and "9" as numbers, and
    // strcmp of UTF-8 puts an emoji after U+FFFD.
    $utf16 = fn (string $name) => iconv('UTF-8', 'UTF-16BE', $name);
    usort($pairs, fn ($a, $b) => strcmp($utf16($a[0]), $utf16($b[0])));
    $canonical = implode('&', array_map(fn ($pair) => "$pair[0]=$pair[1]", $pairs));
    return strtoupper(md5($canonical . $secret));
}

function uuid(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

function new_nonce(): string
{
    $alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    $nonce = '';
    while (strlen($nonce) < 10) {
        $nonce .= $alphabet[random_int(0, strlen($alphabet) - 1)];
    }
    return $nonce;
}

/**
 * Signs a request. Returns the JSON to send: the fields of $json_text in their order, missing
 * common fields, and the signature.
 */
function sign_body(string $json_text, string $api_key, string $secret): string
{
    $common = [
        'api_key' => encoded($api_key),
        'seq_id' => encoded(uuid()),
        'timestamp' => (string) time(),
        'nonce' => encoded(new_nonce()),
    ];
    $fields = [];
    foreach (read_fields($json_text) as [$name, $value]) {
        if ($name === 'sign' || (isset($common[$name]) && $value === 'null')) {
            continue;
        }
        $fields[] = [$name, $value];
        unset($common[$name]);
    }
    foreach ($common as $name => $value) {
        $fields[] = [$name, $value];
    }
    $signed = [];
    foreach ($fields as [$name, $value]) {
        // Fields that are null are sent and not signed.
        if ($value !== 'null') {
            $signed[] = [$name, text_of($value)];
        }
    }
    $fields[] = ['sign', encoded(signature($signed, $secret))];
    return json_of($fields);
}

/** Sends a request. Returns the HTTP status and the answer. */
function post(string $url, string $json_text, array $headers): array
{
    $lines = ['Content-Type: application/json'];
    foreach ($headers as $name => $value) {
        $lines[] = "$name: $value";
    }
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => $lines,
        'content' => $json_text,
        'timeout' => 30,
        'follow_location' => 0,
        'ignore_errors' => true, // Read the answer of a refused request too.
    ]]);
    $stream = @fopen($url, 'r', false, $context);
    if ($stream === false) {
        throw new RuntimeException(error_get_last()['message']);
    }
    $status = (int) explode(' ', stream_get_meta_data($stream)['wrapper_data'][0])[1];
    return [$status, stream_get_contents($stream)];
}

function main(): int
{
    $secret = getenv('MOP_API_SECRET');
    if ($secret === false || $secret === '') {
        fwrite(STDERR, "error: set MOP_API_SECRET to the API secret\n");
        return 1;
    }
    try {
        [$status, $answer] = post(URL, sign_body(BODY, API_KEY, $secret), []);
    } catch (JsonException | RuntimeException $error) {
        fwrite(STDERR, "error: {$error->getMessage()}\n");
        return 1;
    }
    echo $answer, "\n";
    if ($status >= 400) {
        fwrite(STDERR, "error: HTTP status $status\n");
        return 1;
    }
    return 0;
}

exit(main());
