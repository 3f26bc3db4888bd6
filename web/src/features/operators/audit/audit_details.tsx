// What an entry of the trail says beyond who and what: a few names and values.

const words = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

export function AuditDetails({ details }: { details: unknown }) {
  if (details === null || details === undefined || details === "") return null;
  if (typeof details !== "object") return <span class="muted">{String(details)}</span>;
  return (
    <dl class="op-details">
      {Object.entries(details).map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>{words(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
