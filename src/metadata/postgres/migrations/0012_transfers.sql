-- Moves of an embedded database into this one: whose half-done work it is that lies here.

CREATE TABLE transfers (
  run uuid PRIMARY KEY,
  begun_at bigint NOT NULL,
  finished_at bigint
);
