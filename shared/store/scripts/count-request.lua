-- Counts one request of a key in this minute.
local count = redis.call("INCR", countOfMinute)
if count == 1 then redis.call("EXPIRE", countOfMinute, 120) end
return count
