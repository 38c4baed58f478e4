-- Appends one record of people's actions (compare-and-set on the head): each record names the one before.
local head = redis.call("GET", headKey)
if (head or nil) ~= seenHead then return 0 end
if redis.call("RPUSH", records, record) > recordsMax then redis.call("LTRIM", records, -recordsMax, -1) end
redis.call("SET", headKey, nextHead)
return 1
