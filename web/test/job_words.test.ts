// What a question says of the credits of jobs that are cancelled.
import assert from "node:assert/strict";
import test from "node:test";
import type { AnyJob } from "../src/api/events";
import { creditWords } from "../src/features/jobs/words";

const jobs = (...attempts: number[]) => attempts.map((attempt_count) => ({ attempt_count })) as AnyJob[];

test("credits come back where nothing has begun", () => {
  assert.match(creditWords(jobs(0)), /^It has not begun: its credits come back/);
  assert.match(creditWords(jobs(0, 0)), /^None has begun: their credits come back/);
  assert.match(creditWords(jobs(1)), /^It has begun, so its credits stay spent/);
  assert.match(creditWords(jobs(1, 2)), /^All have begun\. .* their credits stay spent/);
  assert.match(creditWords(jobs(0, 1, 1)), /^1 of them has not begun: the credits come back\. 2 have begun\./);
  assert.match(creditWords(jobs(0, 0, 1)), /^2 of them have not begun: the credits come back\. 1 has begun\./);
});
