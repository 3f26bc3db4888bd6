// A page that can't be fetched may be one of a build that the service no longer has: reloading brings the new one.
import { useEffect } from "preact/hooks";
import { reachable } from "../api/connection";
import { notify } from "./notices";

export function useNewVersionNotice(failed: boolean): void {
  useEffect(() => {
    if (!failed || !reachable.peek()) return;
    void notify({ text: "The console may have been updated.", actions: ["Reload"] }).then((pressed) => {
      if (pressed === "Reload") location.reload();
    });
  }, [failed]);
}
