-- Applies what an isolated agent reports of a message, if the run's own record has the message at that agent. The
-- agent's slot is untrusted; only trusted processes write the record.
local text = redis.call("HGET", messages, messageId)
if not text then return "unknown" end
local _, state, heldBy, heldBranch = readMessageState(text)
if heldBy ~= agent then return "elsewhere" end
if not isAnyBranch and heldBranch ~= branch then return "strange" end
local isRepeated = redis.call("HEXISTS", messages, "e:" .. eventId) == 1
if not isRepeated and state ~= "open" then return "settled" end
for _, opened in ipairs(opens) do
  local child = redis.call("HGET", messages, opened.messageId)
  local _, _, childAgent = readMessageState(child or "")
  if isRepeated and childAgent ~= opened.agent then return "taken" end
  if not isRepeated and child then return "taken" end
end
if isRepeated then return "repeated" end
applyToRuns()
return "applied"
