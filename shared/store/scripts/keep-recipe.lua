-- Writes one recipe (compare-and-set) with its line of the audit, or deletes it.
local function countOfProducer()
  local count = 0
  for _, text in ipairs(redis.call("HVALS", recipes)) do
    local ok, recipe = pcall(cjson.decode, text)
    if ok and type(recipe) == "table" and type(recipe.taught_by) == "table" and recipe.taught_by[1] == producer
      and type(recipe.learned_from) == "string" and recipe.state ~= "trusted" then count = count + 1 end
  end
  return count
end

local function hasRoom()
  if redis.call("HLEN", recipes) >= ofFingerprintMax or redis.call("HLEN", fingerprintOf) >= recipesMax then return false end
  if not producer then return true end
  if countOfProducer() >= ofProducerHereMax then return false end
  if redis.call("SCARD", ofProducer) < ofProducerMax then return true end
  -- Recipes that were deleted with their group are still on the list.
  for _, id in ipairs(redis.call("SMEMBERS", ofProducer)) do
    if redis.call("HEXISTS", fingerprintOf, id) == 0 then redis.call("SREM", ofProducer, id) end
  end
  return redis.call("SCARD", ofProducer) < ofProducerMax
end

if (redis.call("HGET", recipes, recipeId) or nil) ~= seen then return "stale" end
if not recipeText then
  redis.call("HDEL", recipes, recipeId)
  redis.call("HDEL", fingerprintOf, recipeId)
  redis.call("HDEL", uses, recipeId)
  redis.call("DEL", recipeAudit)
  redis.call("SREM", ofProducer, recipeId)
  if redis.call("EXISTS", recipes) == 0 then redis.call("SREM", fingerprints, fingerprint) end
  redis.call("INCR", version)
  return "kept"
end
if not seen then
  if redis.call("HEXISTS", fingerprintOf, recipeId) == 1 then return "stale" end
  if not hasRoom() then return "full" end
  if producer then
    redis.call("SADD", ofProducer, recipeId)
    redis.call("EXPIRE", ofProducer, producerListLifeS)
  end
end
redis.call("HSET", recipes, recipeId, recipeText)
redis.call("HSET", fingerprintOf, recipeId, fingerprint)
redis.call("SADD", fingerprints, fingerprint)
if affectsLadder then redis.call("INCR", version) end
if entry then
  redis.call("LPUSH", recipeAudit, pushAudit(wardAudit, entry, auditLength))
  redis.call("LTRIM", recipeAudit, 0, recipeAuditLength - 1)
end
return "kept"
