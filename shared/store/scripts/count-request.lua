-- Counts one request of a key in this minute.   KEYS: 1 count of the minute   Reply: the count
local count = redis.call("INCR", KEYS[1])
if count == 1 then redis.call("EXPIRE", KEYS[1], 120) end
return count
