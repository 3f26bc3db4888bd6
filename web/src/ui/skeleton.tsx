// Stands where content will be, on the first load only, with about its size.

export function Skeleton({ rows = 4, height = 57 }: { rows?: number; height?: number }) {
  return (
    <div class="card skeleton" aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="skeleton-row" style={{ height: `${height}px` }}>
          <span class="skeleton-picture" />
          <span class="skeleton-line" />
          <span class="skeleton-line short" />
        </div>
      ))}
    </div>
  );
}
