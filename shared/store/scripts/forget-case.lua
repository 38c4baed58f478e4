-- Deletes one closed case whose retention is over, with its index entries.
local closed = redis.call("ZSCORE", wardBase .. "index:closed", caseId)
if not closed or tonumber(closed) > closedBeforeMs then return 0 end
local f = redis.call("HMGET", case, "status", "fingerprint", "run_id")
for _, index in ipairs({ "index", "index:closed", "index:status:" .. (f[1] or ""), "index:group:" .. (f[2] or ""),
  "index:run:" .. (f[3] or "") }) do
  redis.call("ZREM", wardBase .. index, caseId)
end
if f[1] then redis.call("HINCRBY", counts, f[1], -1) end
if f[2] and redis.call("ZCARD", wardBase .. "index:group:" .. f[2]) == 0 then
  redis.call("DEL", wardBase .. "group:" .. f[2], wardBase .. "group-audit:" .. f[2])
  redis.call("ZREM", wardBase .. "groups", f[2])
  -- Learned recipes that are not trusted are deleted with the last case of their group.
  local recipes = wardBase .. "recipe:" .. f[2]
  local kept = redis.call("HGETALL", recipes)
  for i = 1, #kept, 2 do
    local recipe = cjson.decode(kept[i + 1])
    if type(recipe.learned_from) == "string" and recipe.state ~= "trusted" then
      redis.call("HDEL", recipes, kept[i])
      redis.call("HDEL", wardBase .. "recipe-ids", kept[i])
      redis.call("HDEL", wardBase .. "recipe-uses", kept[i])
      redis.call("DEL", wardBase .. "recipe-audit:" .. kept[i])
    end
  end
  if #kept > 0 and redis.call("EXISTS", recipes) == 0 then redis.call("SREM", wardBase .. "recipes", f[2]) end
end
redis.call("DEL", case, audit)
return 1
