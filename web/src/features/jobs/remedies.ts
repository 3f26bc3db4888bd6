// What to do about a job that failed. A record of every code that the interface has: a new one does not compile without its line.
import type { JobErrorCode } from "../../api/types";

const remedies: Record<JobErrorCode, string> = {
  operation_invalid: "Correct the options, or use another picture.",
  source_unavailable: "Upload the source again and run the job again. Its credits came back.",
  decode_failed: "Check the picture: it is damaged, or not what it claims to be. Upload it again if it is whole.",
  source_too_large: "Use a smaller picture; whoever runs the service can raise its limit.",
  output_too_large: "Ask for a smaller result; whoever runs the service can raise its limit.",
  artifact_too_large: "Ask for less, or use a plan with a larger limit on a job's files.",
  timeout: "Ask for less, or split the work.",
  cancelled: "Run it again if it is wanted after all.",
  resource_exhausted: "Ask for less: the work needed more memory than the service allows.",
  engine_crashed: "Run it again. If it stays, report the picture. Its credits came back.",
  storage_unavailable: "Run it again later. Its credits came back.",
  internal_error:
    "Run it again later. If it stays, tell the job's id to whoever runs the service. Its credits came back.",
};

export const remedyOf = (code: string | undefined): string =>
  (code && remedies[code as JobErrorCode]) || "Run it again later, or tell the job's id to whoever runs the service.";
