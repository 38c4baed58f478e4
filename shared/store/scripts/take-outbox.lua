-- Reads entries of an agent's outbox for a relay, and forgets those that are too large to be any agent's honest work:
-- they are never sent to the relay.
-- KEYS: 1 outbox   ARGV: 1 bytes of an entry at most, 2 number of entries to choose at random, or 0, then ids of entries
-- Reply: {number of entries that were forgotten, then id and entry of each}
local MAX_ID_BYTES = 400
local ids = {}
if tonumber(ARGV[2]) > 0 then
  ids = redis.call("HRANDFIELD", KEYS[1], ARGV[2])
else
  for i = 3, #ARGV do ids[#ids + 1] = ARGV[i] end
end
local reply, forgotten = {}, 0
for _, id in ipairs(ids) do
  local length = redis.call("HSTRLEN", KEYS[1], id)
  if length > tonumber(ARGV[1]) or #id > MAX_ID_BYTES then
    forgotten = forgotten + redis.call("HDEL", KEYS[1], id)
  elseif length > 0 then
    reply[#reply + 1] = id
    reply[#reply + 1] = redis.call("HGET", KEYS[1], id)
  else
    -- One of no length is no entry; one that is gone was delivered before.
    forgotten = forgotten + redis.call("HDEL", KEYS[1], id)
  end
end
table.insert(reply, 1, forgotten)
return reply
