#!/bin/sh
# Sends a text to the group robot at $WEBHOOK: of Feishu, or of DingTalk or WeCom.
text=$(printf %s "$*" | tail -n 3 | tr -d '"\\' | tr '[:cntrl:]' ' ')
case $WEBHOOK in
  *feishu*) body="{\"msg_type\":\"text\",\"content\":{\"text\":\"$text\"}}" ;;
  *) body="{\"msgtype\":\"text\",\"text\":{\"content\":\"$text\"}}" ;;
esac
# The address is a secret, so it is not an argument. A refused message has HTTP 200 too.
answer=$(printf 'url = "%s"\n' "$WEBHOOK" |
  curl -fsS --max-time 10 -K - -H 'Content-Type: application/json' -d "$body") || exit
case $answer in
  *'"errcode":0'* | *'"code":0'*) ;;
  *) echo "mop-notify: $answer" >&2; exit 1 ;;
esac
