<?php

/** Signs cases with the functions of sign.php; cases.ts describes its input and output. */

// The program without its last statement, which sends the request.
$program = file_get_contents('sign.php');
file_put_contents('functions.php', substr($program, 0, strrpos($program, 'exit(main());')));
require 'functions.php';

while (($line = fgets(STDIN)) !== false) {
    [$body, $api_key, $secret, $lines] = array_map(base64_decode(...), explode("\t", rtrim($line, "\n")));
    $given = [];
    foreach (array_filter(explode("\n", $lines)) as $header) {
        [$name, $value] = explode(': ', $header, 2);
        $given[$name] = $value;
    }
    try {
        if ($argv[1] === 'body') {
            echo base64_encode(sign_body($body, $api_key, $secret)), "\n";
        } else {
            [$headers, $json_text] = sign_headers($body, $given, $api_key, $secret);
            $pairs = array_map(fn ($name) => "$name: $headers[$name]", array_keys($headers));
            echo base64_encode($json_text), "\t", base64_encode(implode("\n", $pairs)), "\n";
        }
    } catch (JsonException | RuntimeException $error) {
        echo "error\t", base64_encode($error->getMessage()), "\n";
    }
}
