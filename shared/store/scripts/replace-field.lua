-- Writes fields of a hash that exists, if one of them is as it was read (compare-and-set).
if redis.call("EXISTS", hash) == 0 or (redis.call("HGET", hash, field) or nil) ~= seen then return 0 end
redis.call("HSET", hash, unpack(sets))
return 1
