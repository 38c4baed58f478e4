-- Records the answer of one branch, once, and advances the fan-out.
local TOO_LARGE = '{"reason":"too_large"}'
local known = redis.call("HMGET", fanOut, "total", "fired", "m:" .. branch, "b:" .. branch, "bytes", "bytes_max", "base_cost", "base_tokens")
if not known[1] or branch >= tonumber(known[1]) then return { "unknown" } end
local here = { key = fanOut, held = held, index = fanOuts, id = fanOutId }
if known[3] == messageId then return { "counted", advance(here, nil, startsMax) } end
if known[2] then return { "late" } end
if known[4] == ANSWERED then return { "duplicate" } end

local function add(name, amount) redis.call("HINCRBY", fanOut, name, amount) end
if known[4] == STARTED then add("under_way", -1) end
if known[4] == FAILED then add("failed", -1) end
add("cost", math.max(0, costMicro - tonumber(known[7])))
add("tokens", math.max(0, tokens - tonumber(known[8])))
local bytes = (tonumber(known[5]) or 0) + #answer
local kind = "counted"
if bytes > tonumber(known[6]) then
  -- Together with the other answers it exceeds the limit, and counts as failed.
  kind = "too_large"
  add("failed", 1)
  redis.call("HSET", fanOut, "b:" .. branch, FAILED, "x:" .. branch, TOO_LARGE)
else
  add("answered", 1)
  redis.call("HSET", fanOut, "b:" .. branch, ANSWERED, "m:" .. branch, messageId, "bytes", bytes)
  redis.call("HDEL", fanOut, "x:" .. branch)
  redis.call("HSET", answers, branch, answer)
end
return { kind, advance(here, nil, startsMax) }
