// What the form of a new key says, as the interface takes it.

export const lifetimes = [
  { code: "never", name: "never" },
  { code: "7", name: "in 7 days" },
  { code: "30", name: "in 30 days" },
  { code: "90", name: "in 90 days" },
  { code: "365", name: "in a year" },
  { code: "day", name: "on a day …" },
] as const;

/** Undefined: never. A day ends at midnight where the person is. */
export function expiryOf(lifetime: string, day: string, now: number): string | undefined {
  if (lifetime === "never") return undefined;
  if (lifetime !== "day") return new Date(now + Number(lifetime) * 86_400_000).toISOString();
  const end = new Date(`${day}T23:59:59`);
  if (Number.isNaN(end.getTime())) throw new Error("Give the day on which the key expires.");
  return end.toISOString();
}

export const networksOf = (text: string): string[] => text.split(/[\s,;]+/).filter((range) => range !== "");
