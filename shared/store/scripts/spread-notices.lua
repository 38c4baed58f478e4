-- Puts new notices before each receiver that wants them. Where a receiver's queue is full, what would be tried last goes.
-- KEYS: 1 notices, 2 how far they were spread, then for each receiver: when each notice is due, the notices
-- ARGV: 1 now in ms, 2 notices at once, 3 notices a receiver's queue holds, 4 life of its keys in ms, 5 where to begin
--       when nothing was spread yet, then for each receiver the types it wants, between commas, or "*"
-- Reply: {notices read, notices dropped}
local from = redis.call("GET", KEYS[2]) or ARGV[5]
local found = redis.call("XRANGE", KEYS[1], "(" .. from, "+", "COUNT", ARGV[2])
if #found == 0 then return { 0, 0 } end
local dropped = 0
for receiver = 1, #ARGV - 5 do
  local due, held, wanted = KEYS[1 + receiver * 2], KEYS[2 + receiver * 2], ARGV[5 + receiver]
  for _, notice in ipairs(found) do
    local fields = notice[2]
    if wanted == "*" or string.find(wanted, "," .. fields[2] .. ",", 1, true) then
      redis.call("HSET", held, notice[1],
        cjson.encode({ type = fields[2], at = fields[4], data = fields[6], attempts = 0 }))
      redis.call("ZADD", due, ARGV[1], notice[1])
    end
  end
  local over = redis.call("ZCARD", due) - tonumber(ARGV[3])
  if over > 0 then
    local gone = redis.call("ZPOPMAX", due, over)
    for i = 1, #gone, 2 do redis.call("HDEL", held, gone[i]) end
    dropped = dropped + over
  end
  redis.call("PEXPIRE", due, ARGV[4])
  redis.call("PEXPIRE", held, ARGV[4])
end
redis.call("SET", KEYS[2], found[#found][1])
return { #found, dropped }
