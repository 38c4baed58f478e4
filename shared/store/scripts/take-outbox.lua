-- Reads entries of an agent's outbox for a relay. Entries above the size limit are returned empty.
local MAX_ID_BYTES = 400
local chosen = anyOf > 0 and redis.call("HRANDFIELD", outbox, anyOf) or ids
local reply = {}
for _, id in ipairs(chosen) do
  local length = redis.call("HSTRLEN", outbox, id)
  if #id > MAX_ID_BYTES then
    redis.call("HDEL", outbox, id)
  elseif redis.call("HEXISTS", outbox, id) == 1 then
    reply[#reply + 1] = { id, length > bytesMax and "" or redis.call("HGET", outbox, id) }
  end
end
return reply
