// The icons: drawn on a grid of 16, in the colour of the text beside them.
const shapes = {
  upload: "M8 11V2.5M4.5 6 8 2.5 11.5 6M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2",
  assets:
    "M3.5 2.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1ZM2.5 11l3-3 2.5 2.5 2-2 3.5 3M10.5 6h.01",
  jobs: "M2.5 4h11M2.5 8h11M2.5 12h7",
  tilesets: "M2.5 2.5h11v11h-11ZM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11",
  usage: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5H8Z M10.5 2.9a5.5 5.5 0 0 1 2.6 2.6h-2.6Z",
  close: "m4 4 8 8M12 4l-8 8",
  check: "m3 8.5 3.5 3.5L13 4.5",
  copy: "M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  trash: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.6 7v4M9.4 7v4",
  download: "M8 2.5V11M4.5 7.5 8 11l3.5-3.5M2.5 13.5h11",
  retry: "M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3",
  warning: "M8 2.5 14 13H2ZM8 6.5v3M8 11.4h.01",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  compare: "M8 2v12M2.5 4h5.5v8H2.5ZM8 4h5.5v8H8",
  open: "M6 3.5H3.5v9h9V10M9 2.5h4.5V7M13 3 7.5 8.5",
  down: "m4 6 4 4 4-4",
  up: "m4 10 4-4 4 4",
  left: "m10 4-4 4 4 4",
  right: "m6 4 4 4-4 4",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.3 10.3l3.2 3.2",
  key: "M10.5 2.5a3 3 0 1 1-2.3 4.9L3 12.5v1h2v-1.5h1.5v-1.5H8l.6-.6M11 5.5h.01",
} as const;

export type IconName = keyof typeof shapes;

/** Decoration: what it means is said in words beside it, or by the label of its button. */
export function Icon({ name }: { name: IconName }) {
  return <DrawnIcon path={shapes[name]} />;
}

/** A shape that only one part of the console has. */
export function DrawnIcon({ path }: { path: string }) {
  return (
    <svg
      class="icon"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}
