// The colours of a picture that a job made, the one that it has most of first.

const isColour = (value: unknown): value is string => typeof value === "string" && /^#[0-9a-f]{6}$/.test(value);

export function Palette({ metadata }: { metadata: Record<string, unknown> }) {
  const listed = Array.isArray(metadata.palette) ? metadata.palette : [];
  const colours = [...new Set([metadata.dominant_color, ...listed].filter(isColour))];
  if (colours.length === 0) return null;
  return (
    <div class="palette" role="img" aria-label={`Its colours: ${colours.join(", ")}`}>
      {colours.map((colour) => (
        <span key={colour} class="palette-colour" style={{ background: colour }} title={colour} />
      ))}
    </div>
  );
}
