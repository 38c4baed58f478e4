-- Replaces an order (compare-and-set).
if (redis.call("HGET", orders, about) or nil) == seen then redis.call("HSET", orders, about, order) end
