// Shows the notice at hand for some seconds; not counting those in which it is pointed at or focused.
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import "./notice_bar.css";
import { shown } from "./notices";

const showMs = 6_000;

export function NoticeBar() {
  const notice = shown.value;
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!notice || held) return;
    const timer = setTimeout(() => notice.close(), showMs);
    return () => clearTimeout(timer);
  }, [notice, held]);
  useEffect(() => setHeld(false), [notice]);
  return (
    <div class="notice-place" role="status" aria-live="polite">
      {notice && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only stops its own timer
        <div
          class={`notice ${notice.kind === "bad" ? "notice-bad" : ""}`}
          onMouseEnter={() => setHeld(true)}
          onMouseLeave={() => setHeld(false)}
          onFocusIn={() => setHeld(true)}
          onFocusOut={() => setHeld(false)}
        >
          <span class="notice-text">{notice.text}</span>
          {notice.actions?.map((action) => (
            <button key={action} type="button" class="button small" onClick={() => notice.close(action)}>
              {action}
            </button>
          ))}
          <button type="button" class="icon-button" aria-label="Close" onClick={() => notice.close()}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
