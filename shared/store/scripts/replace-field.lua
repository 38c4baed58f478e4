-- Replaces a field (compare-and-set).
if (redis.call("HGET", hash, field) or nil) ~= seen then return 0 end
redis.call("HSET", hash, field, value)
return 1
