// What went wrong, what to do about it, and the request id to tell to whoever runs the service.
import { ApiError } from "../api/errors";
import { CopyButton } from "./copy_button";
import { Icon } from "./icon";

interface ErrorCardProps {
  title: string;
  error: unknown;
  retry?: (() => void) | undefined;
}

export function ErrorCard({ title, error, retry }: ErrorCardProps) {
  const refusal = error instanceof ApiError ? error.refusal : undefined;
  return (
    <div class="card error-card" role="alert">
      <Icon name="warning" />
      <div class="stack tight">
        <h2>{title}</h2>
        <p>
          {error instanceof Error ? error.message : String(error)}
          {refusal?.hint && <span class="muted">: {refusal.hint}</span>}
        </p>
        {refusal?.requestId && <RequestId id={refusal.requestId} />}
        {retry && (
          <div class="actions">
            <button type="button" class="button" onClick={retry}>
              Try again
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

export function RequestId({ id }: { id: string }) {
  return (
    <p class="request-id muted small-text">
      request <span class="mono">{id}</span>
      <CopyButton text={id} label="Copy the request id" />
    </p>
  );
}
