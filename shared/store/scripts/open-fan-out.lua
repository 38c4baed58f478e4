-- Part of other scripts: opens a fan-out at its joining agent. Idempotent.
local function openFanOut()
  if redis.call("EXISTS", opening.key) == 1 then return end
  redis.call("HSET", opening.key, unpack(opening.fields))
  local held = opening.key .. ":held"
  if opening.held > 0 then
    redis.call("RENAME", opening.staged, held)
    redis.call("PERSIST", held)
  end
  redis.call("ZADD", opening.index, opening.lookAtMs, opening.id)
  advance({ key = opening.key, held = held, index = opening.index, id = opening.id }, nil, 0)
end
