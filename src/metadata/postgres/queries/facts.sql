-- What the server says of itself.
-- name: server
SELECT current_setting('server_version'), (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
       current_setting('max_connections')::bigint, (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
       pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean, current_setting('server_encoding')
