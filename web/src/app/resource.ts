// What a page reads: loaded when it opens, kept in sight while it is read again, given up when the page is left.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { isCancelled } from "../api/errors";

export interface Resource<T> {
  value: T | undefined;
  error: unknown;
  /** Takes what is known better, from an event say. */
  set(value: T): void;
  reload(): void;
}

/** `names` says what is read: another one is read anew, and the old answer is not waited for. */
export function useResource<T>(names: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [state, setState] = useState<{ names: string; value?: T; error?: unknown }>({ names });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const controller = new AbortController();
    latest.current(controller.signal).then(
      (value) => setState({ names, value }),
      (error: unknown) => {
        if (!isCancelled(error)) setState((old) => (old.names === names ? { ...old, error } : { names, error }));
      },
    );
    return () => controller.abort();
  }, [names, round]);
  const set = useCallback((value: T) => setState({ names, value }), [names]);
  const reload = useCallback(() => setRound((old) => old + 1), []);
  const current = state.names === names ? state : { names };
  return { value: current.value, error: current.error, set, reload };
}
