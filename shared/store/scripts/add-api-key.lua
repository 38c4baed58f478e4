-- Stores a new API key, unless its name is taken or there are too many.
if redis.call("HEXISTS", digestsByName, name) == 1 then return "used" end
if redis.call("HLEN", keysByDigest) >= keysMax then return "full" end
redis.call("HSET", keysByDigest, digest, apiKey)
redis.call("HSET", digestsByName, name, digest)
redis.call("INCR", version)
return "added"
