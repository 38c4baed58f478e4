-- Adds a notice for people's webhooks, unless the same was added before.
if not redis.call("SET", mark, "1", "NX", "PX", markLifeMs) then return 0 end
redis.call("XADD", notices, "MAXLEN", "~", noticesMax, "*", "type", noticeType, "at", nowText, "data", data)
return 1
