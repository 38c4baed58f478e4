-- Adds a notice for people's webhooks, unless the same was added before.
-- KEYS: 1 notices, 2 mark of this one   ARGV: 1 life of the mark in ms, 2 notices kept, 3 type, 4 at, 5 data
-- Reply: 1 when it is new
if not redis.call("SET", KEYS[2], "1", "NX", "PX", ARGV[1]) then return 0 end
redis.call("XADD", KEYS[1], "MAXLEN", "~", ARGV[2], "*", "type", ARGV[3], "at", ARGV[4], "data", ARGV[5])
return 1
