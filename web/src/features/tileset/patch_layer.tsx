// The rectangles over the picture: drawn, moved and resized with the pointer or the keys. Where they lie on the screen is
// written to their style as the view moves, without rendering anew.
import type { Ref } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from "preact/hooks";
import { number } from "../../ui/format";
import type { Draft, PatchEditor } from "./editor";
import { PatchFilling } from "./patch_filling";
import type { Rect, Shape } from "./pyramid";
import { arrow, fromCorners, type Handle, handles, moved, resized } from "./rectangle";
import type { TileViewer, View } from "./viewer";

export interface PatchLayerHandle {
  place(view: View): void;
}

interface Properties {
  editor: PatchEditor;
  shape: Shape;
  viewer: () => TileViewer | undefined;
  handle: Ref<PatchLayerHandle>;
}

type Gesture = {
  pointer: number;
  from: { x: number; y: number };
  rect: Rect;
  id: number;
  act: "move" | "draw" | Handle;
};

const names: Record<Handle, string> = {
  nw: "top left corner",
  n: "top edge",
  ne: "top right corner",
  e: "right edge",
  se: "bottom right corner",
  s: "bottom edge",
  sw: "bottom left corner",
  w: "left edge",
};

const farEnough = 4; // pixels of the screen, before a press becomes a rectangle

export function PatchLayer({ editor, shape, viewer, handle }: Properties) {
  const layer = useRef<HTMLDivElement>(null);
  const view = useRef<View>({ scale: 1, left: 0, top: 0, width: 0, height: 0 });
  const gesture = useRef<Gesture | undefined>(undefined);
  const drafts = editor.drafts.value;
  const selected = editor.selected.value;
  const drawing = editor.drawing.value;

  const place = () => {
    const { scale, left, top } = view.current;
    for (const draft of editor.drafts.peek()) {
      const box = layer.current?.querySelector<HTMLElement>(`[data-patch="${draft.id}"]`);
      if (!box) continue;
      const { x, y, width, height } = draft.rect;
      box.style.transform = `translate(${left + x * scale}px, ${top + y * scale}px)`;
      box.style.width = `${width * scale}px`;
      box.style.height = `${height * scale}px`;
      box.toggleAttribute("data-near-top", top + y * scale < 44);
    }
  };
  useImperativeHandle(handle, () => ({
    place(now) {
      view.current = now;
      place();
    },
  }));
  useLayoutEffect(place);

  useEffect(() => {
    if (!drawing) return;
    const stop = (event: KeyboardEvent) => {
      if (event.key === "Escape") editor.drawing.value = false;
    };
    document.addEventListener("keydown", stop);
    return () => document.removeEventListener("keydown", stop);
  }, [drawing]);

  const at = (event: PointerEvent) => {
    const box = (layer.current as HTMLElement).getBoundingClientRect();
    const { scale, left, top } = view.current;
    return { x: (event.clientX - box.left - left) / scale, y: (event.clientY - box.top - top) / scale };
  };

  function begin(event: PointerEvent, act: Gesture["act"], draft?: Draft) {
    if (event.button !== 0 || gesture.current) return;
    event.stopPropagation();
    if (draft) editor.selected.value = draft.id;
    gesture.current = {
      pointer: event.pointerId,
      from: at(event),
      rect: draft?.rect ?? { x: 0, y: 0, width: 0, height: 0 },
      id: draft?.id ?? 0,
      act,
    };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  }

  function go(event: PointerEvent) {
    const now = gesture.current;
    if (!now || now.pointer !== event.pointerId) return;
    event.stopPropagation();
    const to = at(event);
    const dx = to.x - now.from.x;
    const dy = to.y - now.from.y;
    if (now.act === "draw") {
      const rect = fromCorners(now.from, to, shape);
      if (now.id === 0) {
        if (Math.hypot(dx, dy) * view.current.scale < farEnough) return;
        now.id = editor.add(rect);
      } else editor.change(now.id, { rect });
    } else if (now.act === "move") editor.change(now.id, { rect: moved(now.rect, dx, dy, shape) });
    else editor.change(now.id, { rect: resized(now.rect, now.act, dx, dy, shape) });
  }

  function end(event: PointerEvent) {
    const now = gesture.current;
    if (!now || now.pointer !== event.pointerId) return;
    gesture.current = undefined;
    if (now.act === "draw" && now.id !== 0) editor.drawing.value = false;
    if (event.type === "pointercancel" && now.act === "draw" && now.id !== 0) editor.remove(now.id);
  }

  function key(event: KeyboardEvent, draft: Draft, act: "move" | Handle) {
    const way = arrow(event.key, event.shiftKey, 1 / view.current.scale);
    if (way) {
      const { dx, dy } = way;
      const size = act === "move" && event.altKey ? "se" : act;
      const rect = size === "move" ? moved(draft.rect, dx, dy, shape) : resized(draft.rect, size, dx, dy, shape);
      editor.change(draft.id, { rect });
    } else if (event.key === "Delete" || event.key === "Backspace") editor.remove(draft.id);
    else if (event.key === "Escape") editor.selected.value = undefined;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const box = (layer.current as HTMLElement).getBoundingClientRect();
    viewer()?.zoomBy(event.deltaY < 0 ? 1.25 : 0.8, { x: event.clientX - box.left, y: event.clientY - box.top });
  };
  useEffect(() => {
    const element = layer.current;
    element?.addEventListener("wheel", wheel, { passive: false });
    return () => element?.removeEventListener("wheel", wheel);
  });

  return (
    <div
      ref={layer}
      class={`patch-layer ${drawing ? "drawing" : ""}`}
      onPointerDown={(event) => drawing && begin(event, "draw")}
      onPointerMove={go}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {drafts.map((draft, index) => (
        <div key={draft.id} data-patch={draft.id} class={`patch-box ${draft.id === selected ? "selected" : ""}`}>
          <PatchFilling draft={draft} />
          <button
            type="button"
            class="patch-body"
            aria-label={`Patch ${index + 1}, ${wordsOf(draft.rect)}. Arrow keys move it, with Alt they resize it, Delete removes it`}
            aria-pressed={draft.id === selected}
            onPointerDown={(event) => !drawing && begin(event, "move", draft)}
            onFocus={() => {
              editor.selected.value = draft.id;
            }}
            onKeyDown={(event) => key(event, draft, "move")}
          />
          {draft.id === selected && (
            <>
              <span class="patch-label figures" aria-hidden="true">
                {number(draft.rect.x)} , {number(draft.rect.y)} · {number(draft.rect.width)} ×{" "}
                {number(draft.rect.height)}
              </span>
              {handles.map((name) => (
                <button
                  key={name}
                  type="button"
                  class={`patch-handle at-${name}`}
                  aria-label={`Resize patch ${index + 1} at its ${names[name]}`}
                  onPointerDown={(event) => begin(event, name, draft)}
                  onKeyDown={(event) => key(event, draft, name)}
                />
              ))}
            </>
          )}
        </div>
      ))}
    </div>
  );
}

const wordsOf = ({ x, y, width, height }: Rect) => `${width} by ${height} pixels at ${x}, ${y}`;
