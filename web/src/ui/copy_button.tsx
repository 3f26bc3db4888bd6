// Copies a text, and says so where it was pressed.
import { useEffect, useState } from "preact/hooks";
import { copyText } from "./copy_text";
import { Icon } from "./icon";

interface CopyButtonProps {
  text: string | (() => string);
  /** "Copy as curl"; without it the button is an icon. */
  children?: string;
  /** What is copied, for those who see an icon only. */
  label?: string;
}

export function CopyButton({ text, children, label = "Copy" }: CopyButtonProps) {
  const [told, setTold] = useState<"copied" | "failed">();
  useEffect(() => {
    if (!told) return;
    const timer = setTimeout(() => setTold(undefined), 1_600);
    return () => clearTimeout(timer);
  }, [told]);

  async function copy() {
    setTold((await copyText(typeof text === "string" ? text : text())) ? "copied" : "failed");
  }
  const words = told === "copied" ? "Copied" : told === "failed" ? "Select and copy by hand" : undefined;
  return (
    <button
      type="button"
      class={children ? "button" : "icon-button"}
      aria-label={children ? undefined : (words ?? label)}
      title={children ? undefined : (words ?? label)}
      onClick={() => void copy()}
    >
      {!children && <Icon name={told === "copied" ? "check" : "copy"} />}
      {children && (words ?? children)}
      <span class="unseen" role="status">
        {words}
      </span>
    </button>
  );
}
