// A small picture, fetched when it comes into sight; its space is there before it.
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icon";
import { onceInSight } from "./in_sight";

interface ThumbProps {
  /** Says which picture it is: another name, another picture. Undefined: there is none. */
  name: string | undefined;
  load(): Promise<string>;
  alt?: string;
  /** Shown whole, or cut to its frame. */
  fit?: "cover" | "contain";
}

export function Thumb({ name, load, alt = "", fit = "cover" }: ThumbProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState<{ name: string; address?: string }>();
  useEffect(() => {
    if (!name || !frame.current) return;
    let left = false;
    const end = onceInSight(frame.current, () =>
      load().then(
        (address) => left || setShown({ name, address }),
        () => left || setShown({ name }),
      ),
    );
    return () => {
      left = true;
      end();
    };
  }, [name]);
  const address = shown?.name === name ? shown?.address : undefined;
  const none = !name || (shown?.name === name && !address);
  return (
    <span ref={frame} class={`thumb thumb-${fit} ${address ? "checker" : ""}`}>
      {address && <img src={address} alt={alt} draggable={false} onError={() => name && setShown({ name })} />}
      {none && <Icon name="assets" />}
    </span>
  );
}
