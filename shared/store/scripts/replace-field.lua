-- Replaces a field of a hash that exists (compare-and-set).
if redis.call("EXISTS", hash) == 0 or (redis.call("HGET", hash, field) or nil) ~= seen then return 0 end
redis.call("HSET", hash, field, value)
return 1
