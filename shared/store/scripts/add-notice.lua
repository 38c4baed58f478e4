-- Adds a webhook notice. Idempotent by its mark.
if not redis.call("SET", mark, "1", "NX", "PX", markLifeMs) then return 0 end
redis.call("XADD", notices, "MAXLEN", "~", noticesMax, "*", "type", noticeType, "at", nowText, "data", data)
return 1
