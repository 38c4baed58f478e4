-- Writes one push target of a run into its record, with which it is deleted. With `before` only in place of that text,
-- so that one that was removed or written anew in the meantime stays so.
if redis.call("EXISTS", run) == 0 then return 0 end
local current = redis.call("HGET", run, field)
if before ~= "" and current ~= before then return 0 end
if not current then
  local targets = 0
  for _, name in ipairs(redis.call("HKEYS", run)) do
    if name:sub(1, #prefix) == prefix then targets = targets + 1 end
  end
  if targets >= targetsMax then return 0 end
end
redis.call("HSET", run, field, target)
return 1
