curl -sS "$1/open/v1/trade/bill" -d '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}'
curl -sS "$1/api/open/takecar/estimate/price" --json '{"city":"杭州","lat":30.27}'
