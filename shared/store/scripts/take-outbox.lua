-- Reads entries of an agent's outbox for a relay. What is too large to be any agent's honest work is not sent along.
-- KEYS: 1 outbox   ARGV: 1 bytes of an entry at most, 2 number of entries to choose at random, or 0, then ids of entries
-- Reply: id and entry of each, an empty text for one that is too large
local MAX_ID_BYTES = 400
local ids = {}
if tonumber(ARGV[2]) > 0 then
  ids = redis.call("HRANDFIELD", KEYS[1], ARGV[2])
else
  for i = 3, #ARGV do ids[#ids + 1] = ARGV[i] end
end
local reply = {}
for _, id in ipairs(ids) do
  local length = redis.call("HSTRLEN", KEYS[1], id)
  if #id > MAX_ID_BYTES then
    redis.call("HDEL", KEYS[1], id)
  elseif redis.call("HEXISTS", KEYS[1], id) == 1 then
    reply[#reply + 1] = id
    reply[#reply + 1] = length > tonumber(ARGV[1]) and "" or redis.call("HGET", KEYS[1], id)
  end
end
return reply
