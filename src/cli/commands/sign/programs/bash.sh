{{url}} {{api_key}} {{request_body}} {{headers}}
