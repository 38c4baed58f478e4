-- Takes what one branch brought back, once for each branch, and lets the fan-out go on.
-- KEYS: 1 fan-out, 2 branches that wait, 3 the agent's fan-outs, 4 the agent's outbox, 5 answers
-- ARGV: 1 fan-out id, 2 id of the outbox entry, 3 now in ms, 4 branch, 5 message id, 6 answer, 7 cost of its run so far in
--       micro-USD, 8 tokens so far, 9 "1" when 7 and 8 are of all that its run has spent, so that they are no addition
-- Reply: {"counted", as `advance`} the first time and again for the same message | {"late"} the join has been let go
--        | {"duplicate"} another message of this branch was counted | {"too_large"} with all others it is more than the join
--        takes, and counts as failed: {"too_large", as `advance`} | {"unknown"} there is no such fan-out or branch
local TOO_LARGE = '{"reason":"too_large"}'
local branch = ARGV[4]
local known = redis.call("HMGET", KEYS[1], "total", "fired", "m:" .. branch, "b:" .. branch, "bytes", "bytes_max", "base_cost", "base_tokens")
if not known[1] or tonumber(branch) >= tonumber(known[1]) then return {"unknown"} end
if known[3] == ARGV[5] then return {"counted", ""} end
if known[2] then return {"late"} end
if known[4] == "a" then return {"duplicate"} end

local function add(name, amount) redis.call("HINCRBY", KEYS[1], name, amount) end
if known[4] == "s" then add("under_way", -1) end
if known[4] == "f" then add("failed", -1) end
local function spend(name, since)
  local spent = ARGV[9] == "1" and since - (tonumber(redis.call("HGET", KEYS[1], name)) or 0) or since
  add(name, math.max(0, spent))
end
spend("cost", tonumber(ARGV[7]) - tonumber(known[7]))
spend("tokens", tonumber(ARGV[8]) - tonumber(known[8]))
local bytes = (tonumber(known[5]) or 0) + #ARGV[6]
local kind = "counted"
if bytes > tonumber(known[6]) then
  kind = "too_large"
  add("failed", 1)
  redis.call("HSET", KEYS[1], "b:" .. branch, "f", "x:" .. branch, TOO_LARGE)
else
  add("answered", 1)
  redis.call("HSET", KEYS[1], "b:" .. branch, "a", "m:" .. branch, ARGV[5], "bytes", bytes)
  redis.call("HDEL", KEYS[1], "x:" .. branch)
  redis.call("HSET", KEYS[5], branch, ARGV[6])
end
return {kind, advance(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], ARGV[3], "")}
