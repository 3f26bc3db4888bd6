-- What must be one round trip and one transaction is a function. Parameters begin with p_, variables with v_.

-- The caller's time, which only tests give, or the database's.
CREATE FUNCTION now_ms(p_now bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(p_now, (extract(epoch FROM statement_timestamp()) * 1000)::bigint)
$$;

-- The start of the billing period of 30 days that p_now falls into.
CREATE FUNCTION period_start(p_activated_at bigint, p_now bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT p_activated_at + greatest(0, p_now - p_activated_at) / 2592000000 * 2592000000
$$;

-- `kind` is Change::Kind. Listeners hear it when the transaction commits.
CREATE FUNCTION note_change(p_kind integer, p_id uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('tessera_changes', p_kind || ' ' || p_id)
$$;
