-- Notes a table at a player, after those that are noted already, and tells who watches the player's seats.
-- KEYS seats of the player
-- ARGV table, channel, message
local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
redis.call('ZADD', KEYS[1], 'NX', (last[2] or 0) + 1, ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
