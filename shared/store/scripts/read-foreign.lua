-- Reads a key that other programs write. Returns false for a value of another type too.
local function readForeign(...)
  local reply = redis.pcall(...)
  if type(reply) == "table" and reply.err then return false end
  return reply
end
