// Files that are dropped or pasted anywhere in the console are uploaded.
import { useEffect, useState } from "preact/hooks";
import "./drop_anywhere.css";
import { notify } from "./notices";
import { go } from "./router";

/** The queue's code is fetched with the page that shows it. */
const takeIn = async (files: (module: typeof import("../features/upload/files")) => Promise<File[]> | File[]) => {
  const [module, queue] = await Promise.all([import("../features/upload/files"), import("../features/upload/queue")]);
  const found = await files(module);
  if (found.length === 0) return false;
  queue.add(found);
  go("/upload");
  return true;
};

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
const isTyping = (event: Event) =>
  event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");

export function DropAnywhere() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      // Both lists are empty after the first wait, so the reading begins now.
      const transfer = event.dataTransfer;
      const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
      const files = Array.from(transfer.files);
      void takeIn((module) => module.filesOfEntries(entries, files)).then((took) => {
        if (!took) void notify({ text: "There was no file in what you dropped." });
      });
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event)) return;
      const files = Array.from(event.clipboardData?.files ?? []);
      if (files.length === 0) {
        void notify({ text: "The clipboard holds no picture." });
        return;
      }
      event.preventDefault();
      void takeIn(() => files.map(named));
    };
    addEventListener("dragover", onOver);
    addEventListener("dragleave", onLeave);
    addEventListener("drop", onDrop);
    addEventListener("paste", onPaste);
    return () => {
      removeEventListener("dragover", onOver);
      removeEventListener("dragleave", onLeave);
      removeEventListener("drop", onDrop);
      removeEventListener("paste", onPaste);
    };
  }, []);
  return over ? (
    <div class="drop-over">
      <p>Drop to upload</p>
    </div>
  ) : null;
}

/** Every pasted picture is called image.png: the time tells them apart. */
function named(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const time = new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-");
  return new File([file], `pasted-${time}.${file.name.split(".").pop()}`, { type: file.type });
}
