// A state: a dot and a word, never colour alone.
export type Tone = "good" | "bad" | "busy" | "quiet";

const classes: Record<Tone, string> = { good: "pill-succeeded", bad: "pill-failed", busy: "pill-running", quiet: "" };

export function Pill({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`pill ${classes[tone]}`}>{children}</span>;
}
