-- Brings work on a group from one state to the next, so that of a person's stop and a surgeon's step the first counts.
-- KEYS: 1 batch   ARGV: 1 state it must be in, 2 next state, 3 now in ms
-- Reply: 1, or 0 where it is in another state
if redis.call("HGET", KEYS[1], "state") ~= ARGV[1] then return 0 end
redis.call("HSET", KEYS[1], "state", ARGV[2], "changed_ms", ARGV[3])
return 1
