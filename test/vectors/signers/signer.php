<?php
// A signer with the habits of PHP programs. Reads jobs from stdin and writes the results to stdout.

error_reporting(E_ALL & ~E_WARNING & ~E_DEPRECATED);

/** A correct signer; a habit replaces or wraps one of its steps. */
final class Signer
{
    public bool $headerMode;
    public string $secret;
    public string $otherSecret;
    public array $headers = [];
    public array $business;
    public array $files;

    public $keep, $name, $string, $scalar, $nested, $text, $null, $sort, $join, $seal, $encode, $digest;

    public function __construct(array $job)
    {
        $this->headerMode = $job['mode'] === 'header';
        $this->secret = $job['secret'];
        $this->otherSecret = $job['other_secret'];
        foreach ($job['headers'] as [$name, $value]) {
            if (str_starts_with($name, 'X-TMS-')) {
                $this->headers[$name] = $value;
            }
        }
        $this->business = isset($job['body']) ? json_decode($job['body'], true) : array_column($job['form'], 1, 0);
        $this->files = $job['files'] ?? [];

        $this->keep = fn ($value, $name) => $this->headerMode || $value !== null;
        $this->name = fn ($name) => $name;
        $this->string = fn ($value) => $value;
        $this->null = fn () => '';
        $this->scalar = fn ($value) => json_encode($value);
        $this->nested = fn ($value) => json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        $this->text = fn ($value) => match (true) {
            $value === null => ($this->null)(),
            is_string($value) => ($this->string)($value),
            is_array($value) => ($this->nested)($value),
            default => ($this->scalar)($value),
        };
        $this->sort = function (array $pairs) {
            ksort($pairs, SORT_STRING);
            return $pairs;
        };
        $this->join = function (array $pairs) {
            $parts = [];
            foreach ($pairs as $name => $text) {
                $parts[] = $name . '=' . $text;
            }
            return implode('&', $parts);
        };
        $this->seal = fn ($src1) => $src1 . $this->secret;
        $this->encode = fn ($text) => $text;
        $this->digest = fn ($src1) => strtoupper(md5(($this->encode)(($this->seal)($src1))));
    }

    /** Wraps a step: the habit changes its result. */
    public function after(string $step, callable $change): void
    {
        $inner = $this->$step;
        $this->$step = fn ($value) => $change($inner($value));
    }

    public function sign(): array
    {
        $pairs = [];
        $fields = array_filter($this->headers + $this->business, $this->keep, ARRAY_FILTER_USE_BOTH);
        foreach ($fields as $name => $value) {
            $pairs[($this->name)($name)] = ($this->text)($value);
        }
        $pairs = ($this->sort)($pairs);
        $src1 = ($this->join)($pairs);
        return ['canonical' => $src1, 'sign' => ($this->digest)($src1)];
    }
}

$habits = [
    // file_get_contents() keeps the final newline, and the CRLF or byte order mark of Notepad
    'secret-newline' => fn (Signer $s) => $s->secret .= "\n",
    'secret-crlf' => fn (Signer $s) => $s->secret .= "\r\n",
    'secret-bom' => fn (Signer $s) => $s->secret = "\u{FEFF}" . $s->secret,
    'secret-of-staging' => fn (Signer $s) => $s->secret = $s->otherSecret,
    'secret-joined' => fn (Signer $s) => $s->seal = fn ($src1) => $src1 . '&secret=' . $s->secret,
    'api-secret-joined' => fn (Signer $s) => $s->seal = fn ($src1) => $src1 . '&api_secret=' . $s->secret,
    // $params['key'] = $secret before ksort()
    'key-as-parameter' => function (Signer $s) {
        $s->business['key'] = $s->secret;
        $s->seal = fn ($src1) => $src1;
    },

    // array_filter() without a callback drops 0, false, '' and []
    'array-filter' => fn (Signer $s) => $s->keep = fn ($value) => (bool) $value,
    // if ($value !== '' && $value !== null)
    'empty-string-dropped' => fn (Signer $s) => $s->keep = fn ($value) => $value !== '' && $value !== null,
    // isset()
    'isset' => fn (Signer $s) => $s->keep = fn ($value) => $value !== null,
    // null . '' is ''
    'null-concatenated' => fn (Signer $s) => $s->keep = fn () => true,
    'sign-empty' => fn (Signer $s) => $s->business['sign'] = '',
    'sign-header-empty' => fn (Signer $s) => $s->headers['X-TMS-Sign'] = '',
    // The timestamp is added after signing
    'without-timestamp' => function (Signer $s) {
        unset($s->business['timestamp']);
    },
    // Nested values are skipped: if (is_array($value)) continue
    'scalars-only' => fn (Signer $s) => $s->keep = fn ($value) => $value !== null && !is_array($value),
    // Only the version and the key are signed, because these headers never change
    'fixed-headers' => fn (Signer $s) => $s->headers = array_intersect_key(
        $s->headers,
        ['X-TMS-Sign-Ver' => 1, 'X-TMS-Api-Key' => 1],
    ),
    // $_FILES: the name, or the content of tmp_name
    'file-name' => function (Signer $s) {
        foreach ($s->files as $file) {
            $s->business[$file['name']] = $file['filename'];
        }
    },
    'file-content' => function (Signer $s) {
        foreach ($s->files as $file) {
            $s->business[$file['name']] = base64_decode($file['content']);
        }
    },
    'other-protocol' => function (Signer $s) {
        $titles = ['api_key' => 'Api-Key', 'seq_id' => 'Seq-Id', 'timestamp' => 'Timestamp', 'nonce' => 'Nonce'];
        if ($s->headerMode) {
            foreach ($titles as $name => $title) {
                $s->business[$name] = $s->headers["X-TMS-$title"] ?? null;
            }
            $s->headers = [];
            $s->keep = fn ($value) => $value !== null;
        } else {
            foreach ($titles as $name => $title) {
                $s->headers["X-TMS-$title"] = $s->business[$name];
                unset($s->business[$name]);
            }
            $s->headers['X-TMS-Sign-Ver'] = '2.0';
            $s->keep = fn () => true;
        }
    },

    'without-ksort' => fn (Signer $s) => $s->sort = fn ($pairs) => $pairs,
    'ksort-flag-case' => fn (Signer $s) => $s->sort = function (array $pairs) {
        ksort($pairs, SORT_STRING | SORT_FLAG_CASE);
        return $pairs;
    },
    // ucwords(strtolower()) converts $_SERVER['HTTP_X_TMS_API_KEY'] back to a header name
    'server-headers' => fn (Signer $s) => $s->name = fn ($name) => str_starts_with($name, 'X-TMS-')
        ? ucwords(strtolower($name), '-')
        : $name,

    // json_encode($value) and its flags
    'json-encode' => fn (Signer $s) => $s->nested = fn ($value) => json_encode($value),
    'unescaped-unicode' => fn (Signer $s) => $s->nested = fn ($value) => json_encode($value, JSON_UNESCAPED_UNICODE),
    'unescaped-slashes' => fn (Signer $s) => $s->nested = fn ($value) => json_encode($value, JSON_UNESCAPED_SLASHES),
    'pretty-print' => fn (Signer $s) => $s->nested = fn ($value) => json_encode(
        $value,
        JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES,
    ),
    // ksort() on every level
    'ksort-deep' => fn (Signer $s) => $s->nested = function ($value) {
        $sort = function (&$item) use (&$sort) {
            if (is_array($item)) {
                array_is_list($item) || ksort($item, SORT_STRING);
                array_walk($item, $sort);
            }
        };
        $sort($value);
        return json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
    },
    // (string) $array
    'array-cast' => fn (Signer $s) => $s->nested = fn ($value) => (string) $value,
    // http_build_query($params) adds brackets and encodes everything; true is 1, false is 0
    'http-build-query' => function (Signer $s) {
        $s->text = fn ($value) => $value;
        $s->join = 'http_build_query';
    },
    'http-build-query-decoded' => function (Signer $s) {
        $s->text = fn ($value) => $value;
        $s->join = fn ($params) => urldecode(http_build_query($params));
    },
    'json-every-value' => fn (Signer $s) => $s->string = fn ($value) => json_encode(
        $value,
        JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES,
    ),
    // (string) true is '1', (string) false is '', (string) 120.0 is '120'
    'strval-bool' => fn (Signer $s) => $s->scalar = fn ($value) => is_bool($value)
        ? strval($value)
        : json_encode($value),
    'strval' => fn (Signer $s) => $s->scalar = 'strval',
    'intval-bool' => fn (Signer $s) => $s->scalar = fn ($value) => is_bool($value)
        ? strval(intval($value))
        : json_encode($value),
    'urlencode' => fn (Signer $s) => $s->after('text', 'urlencode'),
    'rawurlencode' => fn (Signer $s) => $s->after('text', 'rawurlencode'),
    'htmlspecialchars' => fn (Signer $s) => $s->after('text', 'htmlspecialchars'),
    // The joined string is shown on a page and copied from the page source
    'amp-joined' => fn (Signer $s) => $s->after('join', 'htmlspecialchars'),
    // A textarea ends its lines with CRLF
    'textarea-newlines' => fn (Signer $s) => $s->after(
        'string',
        fn ($text) => preg_replace('/\r\n|\r|\n/', "\r\n", $text),
    ),
    'php-eol' => fn (Signer $s) => $s->after('string', fn ($text) => str_replace("\r\n", PHP_EOL, $text)),

    'iconv-gbk' => fn (Signer $s) => $s->encode = fn ($text) => iconv('UTF-8', 'GBK', $text),
    'utf8-decode' => fn (Signer $s) => $s->encode = 'utf8_decode',
    'md5' => fn (Signer $s) => $s->after('digest', 'strtolower'),
    'hash-hmac' => fn (Signer $s) => $s->digest = fn ($src1) => strtoupper(
        hash_hmac('md5', ($s->encode)($src1), $s->secret),
    ),
    'sha1' => fn (Signer $s) => $s->digest = fn ($src1) => strtoupper(sha1(($s->encode)(($s->seal)($src1)))),
    'openssl-sm3' => fn (Signer $s) => $s->digest = fn ($src1) => strtoupper(
        openssl_digest(($s->encode)(($s->seal)($src1)), 'sm3'),
    ),

    // json_decode(…, true) turns {} into an empty array
    'assoc' => fn (Signer $s) => null,
    'force-object' => fn (Signer $s) => $s->nested = fn ($value) => json_encode(
        $value,
        JSON_FORCE_OBJECT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES,
    ),
    // XML converted to an array contains the item instead of a list with one item
    'single-item' => fn (Signer $s) => $s->nested = fn ($value) => $value[0],
    'implode-values' => fn (Signer $s) => $s->join = fn ($pairs) => implode('', $pairs),
    // json_encode($params) instead of the pairs
    'encoded-body' => fn (Signer $s) => $s->join = fn () => json_encode($s->business),
    'method-in-front' => fn (Signer $s) => $s->after('join', fn ($src1) => "POST\n" . $src1),
    'format-parameter' => fn (Signer $s) => $s->business['format'] = 'json',
    'trim' => fn (Signer $s) => $s->after('string', 'trim'),
    'number-format' => fn (Signer $s) => $s->business['fee'] = number_format($s->business['fee'], 2, '.', ''),
    'utf8-encode' => fn (Signer $s) => $s->encode = 'utf8_encode',
    'md5-of-md5' => fn (Signer $s) => $s->digest = fn ($src1) => strtoupper(md5(md5(($s->seal)($src1)))),
];

$results = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $job) {
    $signer = new Signer($job);
    foreach ($job['habits'] as $habit) {
        $habits[$habit]($signer);
    }
    $results[] = $signer->sign();
}
echo json_encode($results, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
