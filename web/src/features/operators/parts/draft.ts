// What was filled into a form, until it is sent or given up: a reload does not lose it. In this tab alone, and no secrets.
import { useState } from "preact/hooks";

export function useDraft<T extends object>(name: string, initial: T): [T, (next: Partial<T>) => void, () => void] {
  const at = `tessera.operators.${name}`;
  const [value, setValue] = useState<T>(() => {
    try {
      return { ...initial, ...(JSON.parse(sessionStorage.getItem(at) ?? "{}") as Partial<T>) };
    } catch {
      return initial;
    }
  });
  const change = (next: Partial<T>) => {
    const merged = { ...value, ...next };
    sessionStorage.setItem(at, JSON.stringify(merged));
    setValue(merged);
  };
  return [value, change, () => sessionStorage.removeItem(at)];
}
