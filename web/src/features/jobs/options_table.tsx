// The options of a job as it was accepted, with defaults filled in.
export function OptionsTable({ options }: { options: Record<string, unknown> }) {
  const entries = Object.entries(options);
  if (entries.length === 0) return <p class="muted">None.</p>;
  return (
    <dl class="facts options">
      {entries.map(([name, value]) => (
        <Option key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function Option({ name, value }: { name: string; value: unknown }) {
  const isColour = typeof value === "string" && /^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(value);
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {isColour && <span class="colour-dot" style={{ background: value }} aria-hidden="true" />}
        {typeof value === "object" && value !== null ? <Nested value={value} /> : String(value)}
      </dd>
    </>
  );
}

/** Lists may be long: they are folded, and shown as they were sent. */
function Nested({ value }: { value: object }) {
  const summary = Array.isArray(value)
    ? `${value.length} of them`
    : Object.entries(value)
        .map(([n, v]) => `${n}: ${v}`)
        .join(", ");
  if (!Array.isArray(value)) return <>{summary}</>;
  return (
    <details>
      <summary>{summary}</summary>
      <pre class="options-json">{JSON.stringify(value, undefined, 2)}</pre>
    </details>
  );
}
