-- Opens a fan-out at its joining agent. Idempotent.
if redis.call("EXISTS", fanOut) == 1 then return "" end
for i = 1, #fields, 2 do redis.call("HSET", fanOut, fields[i], fields[i + 1]) end
for _, branch in ipairs(heldBranches) do
  redis.call("HSET", held, "s:" .. branch.number, branch.send, "c:" .. branch.number, branch.change)
  if branch.awaited then redis.call("HSET", held, "w:" .. branch.number, branch.awaited) end
end
redis.call("ZADD", fanOuts, lookAtMs, fanOutId)
return advance(nil)
