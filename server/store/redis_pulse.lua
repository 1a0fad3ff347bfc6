-- Notes that a process is in contact with the store, and finds out whether none was for a while: then nobody could move,
-- and every running limit gets some grace. All processes read it here, so that they agree.
-- KEYS pulse
-- ARGV run id of the server, '1' if the caller itself noticed an outage, ms without contact that are an outage, ms of
--      grace
-- Returns the server's seconds and microseconds, and until when there is grace.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local was = redis.call('HMGET', KEYS[1], 'at', 'run', 'grace')
local grace = tonumber(was[3] or 0)
if ARGV[2] == '1' or was[1] and (now - was[1] > tonumber(ARGV[3]) or was[2] ~= ARGV[1]) then
  grace = math.max(grace, now + ARGV[4])
end
grace = string.format('%.0f', grace)
redis.call('HSET', KEYS[1], 'at', string.format('%.0f', now), 'run', ARGV[1], 'grace', grace)
return {time[1], time[2], grace}
