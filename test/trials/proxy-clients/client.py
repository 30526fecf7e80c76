import json
import sys
import urllib.request

base = sys.argv[1]
calls = [
    ("/open/v1/trade/bill", {"bill_date": "2026-11-19", "bill_type": 0, "tar_type": 1}),
    ("/api/open/takecar/estimate/price", {"city": "杭州", "lat": 30.27}),
]
for path, body in calls:
    request = urllib.request.Request(
        base + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["code"])
