// Upload: drop, paste, choose, whole folders; and the first visit, with a sample picture.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { limitOf } from "../../app/account";
import { assetCount } from "../../app/counts";
import { notify } from "../../app/notices";
import { useTitle } from "../../app/title";
import { limitBytes } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { accepted } from "./files";
import { ItemRow } from "./item_row";
import styles from "./page.css?url";
import { ProgressLine } from "./progress_line";
import { add, addBlob, clearEnded, items, open, refused } from "./queue";
import { samplePicture } from "./sample";

export { styles };

export default function UploadPage() {
  useTitle("Upload");
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const drawing = useSignal(false);

  function choose(event: Event) {
    const field = event.currentTarget as HTMLInputElement;
    add(Array.from(field.files ?? []));
    field.value = ""; // so that the same file can be chosen again
  }

  async function sample() {
    drawing.value = true;
    try {
      addBlob(await samplePicture(), "sample.jpg");
    } catch (error) {
      void notify({ text: String(error), kind: "bad" });
    } finally {
      drawing.value = false;
    }
  }

  const most = limitOf("max_upload_bytes");
  const empty = items.value.length === 0;
  const firstVisit = empty && assetCount.value?.value === 0;
  const ended = items.value.length - open.value.length;
  return (
    <div class="stack">
      <section class={`card upload-drop ${empty ? "" : "upload-drop-small"}`} aria-label="Add pictures">
        <span class="upload-mark" aria-hidden="true">
          <Icon name="upload" />
        </span>
        <div class="upload-words">
          <h2>{firstVisit ? "Put in a picture to begin" : "Drop pictures anywhere, or paste one"}</h2>
          <p class="muted">
            {firstVisit && "Then resize it, make it smaller, or make it zoomable. "}
            JPEG, PNG, WebP, GIF, AVIF, HEIF or JPEG XL{most !== undefined && `, up to ${limitBytes(most)} each`}.
          </p>
        </div>
        <div class="actions">
          <button type="button" class={`button ${firstVisit ? "" : "primary"}`} onClick={() => files.current?.click()}>
            Choose files
          </button>
          <button type="button" class="button" onClick={() => folder.current?.click()}>
            Choose a folder
          </button>
          <button
            type="button"
            class={`button ${firstVisit ? "primary" : ""}`}
            disabled={drawing.value}
            onClick={() => void sample()}
          >
            Try a sample picture
          </button>
        </div>
        <input ref={files} type="file" multiple hidden accept={accepted} aria-label="Files" onChange={choose} />
        {/* The attribute is not in the types: folders are chosen by every browser, and standardised by none. */}
        <input
          ref={folder}
          type="file"
          multiple
          hidden
          aria-label="Folder"
          onChange={choose}
          {...{ webkitdirectory: true }}
        />
      </section>
      {refused.value.length > 0 && (
        <section class="card card-part upload-refused" role="alert">
          <h2>Not taken</h2>
          <ul>
            {refused.value.slice(0, 20).map((why) => (
              <li key={why}>{why}</li>
            ))}
            {refused.value.length > 20 && <li class="muted">and {refused.value.length - 20} more</li>}
          </ul>
        </section>
      )}
      {!empty && (
        <section class="card" aria-label="Uploads">
          <ProgressLine />
          <ul>
            {items.value.map((item, index) => (
              <ItemRow key={item.id} item={item} first={index === 0} />
            ))}
          </ul>
          {ended > 0 && (
            <div class="card-part upload-clear">
              <button type="button" class="link-button" onClick={clearEnded}>
                Clear what has ended
              </button>
            </div>
          )}
        </section>
      )}
    </div>
  );
}
