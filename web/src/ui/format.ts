// Numbers, sizes and spans as the console writes them: with units, and the same everywhere.

/** 1,204 and 3.2: three digits after the point at most. Not Intl's, which takes long to be made, before the first page is drawn. */
export function number(value: number): string {
  const [whole = "", part] = String(Math.round(value * 1000) / 1000).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part ? `${grouped}.${part}` : grouped;
}

/** "1 job", "3 jobs". */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;

/** Decimal units, as disks and networks count: 93.5 kB. */
export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = value;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(size >= 10 ? 1 : 2).replace(/\.?0+$/, "")} ${units[unit]}`;
}

/** A limit as it was set: 50 MiB where it is whole in the units that plans are written in. */
export function limitBytes(value: number): string {
  for (const [unit, size] of [
    ["GiB", 2 ** 30],
    ["MiB", 2 ** 20],
    ["KiB", 2 ** 10],
  ] as const) {
    if (value >= size && value % size === 0) return `${number(value / size)} ${unit}`;
  }
  return bytes(value);
}

/** 0.31 s, 12 s, 3 min 5 s, 2 h 10 min. */
export function span(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(seconds < 0.995 ? 2 : 1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} d`;
}

/** How long ago, in one unit: "just now", "4 min", "2 d"; "in 3 h" of what is to come. */
export function ago(then: number, now: number): string {
  const seconds = Math.round((now - then) / 1000);
  const past = Math.max(0, Math.abs(seconds));
  let words = `${Math.floor(past / 86_400)} d`;
  if (past < 10) words = "";
  else if (past < 60) words = `${past} s`;
  else if (past < 3_600) words = `${Math.floor(past / 60)} min`;
  else if (past < 86_400) words = `${Math.floor(past / 3_600)} h`;
  if (seconds < 0) return words ? `in ${words}` : "now";
  return words || "just now";
}

let local: Intl.DateTimeFormat | undefined;

/** The exact time, here. */
export function here(iso: string): string {
  local ??= new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  return local.format(new Date(iso));
}

/** The exact time, here and in UTC. */
export const exact = (iso: string): string => `${here(iso)} (${iso.replace("T", " ").replace(/\.\d+/, "")})`;

/** 2,400 × 1,600 */
export const size = (width: number, height: number): string => `${number(width)} × ${number(height)}`;

/** −71 %, +3 %: what became of `before`. */
export function change(before: number, after: number): string {
  const share = Math.round((after / before - 1) * 100);
  return `${share < 0 ? "−" : share > 0 ? "+" : "±"}${Math.abs(share)} %`;
}
