-- Deletes an API key by its name.
local digest = redis.call("HGET", digestsByName, name)
if not digest then return 0 end
redis.call("HDEL", keysByDigest, digest)
redis.call("HDEL", digestsByName, name)
redis.call("INCR", version)
return 1
