-- Keeps a new API key, unless another has its name or there are too many.
-- KEYS: 1 keys by the digest of their secrets, 2 digests by name, 3 version
-- ARGV: 1 digest, 2 name, 3 the key as JSON, 4 most keys
-- Reply: "added" | "used" | "full"
if redis.call("HEXISTS", KEYS[2], ARGV[2]) == 1 then return "used" end
if redis.call("HLEN", KEYS[1]) >= tonumber(ARGV[4]) then return "full" end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
redis.call("HSET", KEYS[2], ARGV[2], ARGV[1])
redis.call("INCR", KEYS[3])
return "added"
