// Four tiles of a mosaic.
export function Logo() {
  return (
    <svg class="logo" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" focusable="false">
      <rect width="8" height="8" rx="2" />
      <rect x="10" width="8" height="8" rx="2" opacity="0.6" />
      <rect y="10" width="8" height="8" rx="2" opacity="0.35" />
      <rect x="10" y="10" width="8" height="8" rx="2" />
    </svg>
  );
}
