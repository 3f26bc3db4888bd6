-- Transactions and savepoints.
-- name: begin
BEGIN
-- name: begin_immediate
BEGIN IMMEDIATE
-- name: commit
COMMIT
-- name: roll_back
ROLLBACK
-- name: savepoint
SAVEPOINT one_write
-- name: release_savepoint
RELEASE one_write
-- name: roll_back_to_savepoint
ROLLBACK TO one_write
