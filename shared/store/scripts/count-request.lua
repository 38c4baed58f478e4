-- Counts one request of an API key in this minute (rate limit).
local count = redis.call("INCR", countOfMinute)
if count == 1 then redis.call("EXPIRE", countOfMinute, 120) end
return count
