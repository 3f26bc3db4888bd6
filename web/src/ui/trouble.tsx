// Why a form was refused, in the service's words, with the request id to tell.
import { ApiError } from "../api/errors";
import { RequestId } from "./error_card";

export function Trouble({ error }: { error: unknown }) {
  if (error === undefined) return null;
  const refusal = error instanceof ApiError ? error.refusal : undefined;
  return (
    <div class="field-bad">
      <p>
        {error instanceof Error ? error.message : String(error)}
        {refusal?.hint && `: ${refusal.hint}`}
      </p>
      {refusal?.requestId && <RequestId id={refusal.requestId} />}
    </div>
  );
}
