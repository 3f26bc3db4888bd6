// Which settings are shown, and how they are grouped.
import type { Setting } from "../api/types";

/** Whether it is another than it would be if nobody had set it; of a secret only that it is set can be told. */
export const differs = ({ secret, value, default: initial }: Setting): boolean =>
  secret ? value !== "" : value !== initial;

export function matches({ key, value, description }: Setting, q: string): boolean {
  const words = q.toLowerCase().split(/\s+/);
  const text = `${key} ${value} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** By section, in the order in which they come. */
export function sectionsOf(settings: readonly Setting[]): [string, Setting[]][] {
  const sections = new Map<string, Setting[]>();
  for (const setting of settings) sections.set(setting.section, [...(sections.get(setting.section) ?? []), setting]);
  return [...sections];
}
