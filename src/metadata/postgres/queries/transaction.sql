-- name: begin
BEGIN
-- name: commit
COMMIT
-- name: roll_back
ROLLBACK
