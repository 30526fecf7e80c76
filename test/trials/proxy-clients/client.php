<?php
$calls = [
    '/open/v1/trade/bill' => ['bill_date' => '2026-11-19', 'bill_type' => 0, 'tar_type' => 1],
    '/api/open/takecar/estimate/price' => ['city' => '杭州', 'lat' => 30.27],
];
foreach ($calls as $path => $body) {
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => 'Content-Type: application/json',
        'content' => json_encode($body),
    ]]);
    $answer = file_get_contents($argv[1] . $path, false, $context);
    echo json_decode($answer)->code, "\n";
}
