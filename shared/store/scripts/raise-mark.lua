-- Raises a high-water mark; never lowers it.
if tonumber(redis.call("GET", mark) or "0") >= to then return end
if lifeMs then redis.call("SET", mark, to, "PX", lifeMs) else redis.call("SET", mark, to) end
