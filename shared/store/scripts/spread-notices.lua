-- Adds new notices to the queues of subscribed receivers. A full queue drops the notice that is due last.
local from = redis.call("GET", spreadUpTo) or beginsAt
local found = redis.call("XRANGE", notices, "(" .. from, "+", "COUNT", atOnce)
if #found == 0 then return { 0, 0 } end
local dropped = 0

local function wants(receiver, noticeType)
  return not receiver.types or string.find(receiver.types, "," .. noticeType .. ",", 1, true)
end

for _, receiver in ipairs(receivers) do
  for _, notice in ipairs(found) do
    local fields = notice[2]
    if wants(receiver, fields[2]) then
      redis.call("HSET", receiver.held, notice[1],
        cjson.encode({ type = fields[2], at = fields[4], data = fields[6], attempts = 0 }))
      redis.call("ZADD", receiver.due, nowMs, notice[1])
    end
  end
  local over = redis.call("ZCARD", receiver.due) - queueMax
  if over > 0 then
    local gone = redis.call("ZPOPMAX", receiver.due, over)
    for i = 1, #gone, 2 do redis.call("HDEL", receiver.held, gone[i]) end
    dropped = dropped + over
  end
  redis.call("PEXPIRE", receiver.due, queueLifeMs)
  redis.call("PEXPIRE", receiver.held, queueLifeMs)
end
redis.call("SET", spreadUpTo, found[#found][1])
return { #found, dropped }
