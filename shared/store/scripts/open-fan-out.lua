-- Opens a fan-out at the agent that joins it, unless it is open already.
-- KEYS: 1 fan-out, 2 branches that wait, 3 the agent's fan-outs, 4 the agent's outbox
-- ARGV: 1 fan-out id, 2 id of the outbox entry, 3 now in ms, 4 when to look at it, in ms, 5 number of its fields and values, then
--       these, then fields and values of the branches that wait
-- Reply: as `advance`; "" when it was open before
if redis.call("EXISTS", KEYS[1]) == 1 then return "" end
local split = 5 + tonumber(ARGV[5])
for at = 6, split, 2 do redis.call("HSET", KEYS[1], ARGV[at], ARGV[at + 1]) end
for at = split + 1, #ARGV, 2 do redis.call("HSET", KEYS[2], ARGV[at], ARGV[at + 1]) end
redis.call("ZADD", KEYS[3], ARGV[4], ARGV[1])
return advance(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], ARGV[3], "")
