// The last values of something as a line. The number beside it says the newest; the line is decoration.
interface SparklineProps {
  values: readonly number[];
  /** As many as fit; fewer are drawn at the right. */
  most?: number;
  kind?: "accent" | "bad" | "busy";
}

const width = 120;
const height = 28;

export function Sparkline({ values, most = 60, kind = "accent" }: SparklineProps) {
  const shown = values.slice(-most);
  const top = Math.max(1, ...shown);
  const step = width / (most - 1);
  const points = shown.map((value, index) => {
    const x = width - (shown.length - 1 - index) * step;
    const y = height - 2 - (value / top) * (height - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const first = points[0]?.split(",")[0];
  return (
    <svg
      class={`op-spark op-spark-${kind}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <line class="op-spark-ground" x1="0" x2={width} y1={height - 1} y2={height - 1} />
      {points.length > 1 && (
        <>
          <polygon class="op-spark-area" points={`${first},${height} ${points.join(" ")} ${width},${height}`} />
          <polyline class="op-spark-line" points={points.join(" ")} />
        </>
      )}
    </svg>
  );
}
