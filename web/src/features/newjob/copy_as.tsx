// The request as it would be sent, for a shell and for programs.
import { useState } from "preact/hooks";
import { CopyButton } from "../../ui/copy_button";
import { Segments } from "../../ui/segments";
import { asCurl, asPython, asTypeScript, type JobToCopy } from "./snippets";

const languages = [
  { value: "curl", name: "curl", write: asCurl },
  { value: "typescript", name: "TypeScript", write: asTypeScript },
  { value: "python", name: "Python", write: asPython },
] as const;

type Language = (typeof languages)[number]["value"];

export function CopyAs({ job }: { job: JobToCopy }) {
  const [language, setLanguage] = useState<Language>("curl");
  const text = languages.find(({ value }) => value === language)?.write(job) ?? "";
  return (
    <section class="card card-part stack" aria-label="The same by a program">
      <Segments label="Language" value={language} choices={languages} choose={(value) => setLanguage(value)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre class="snippet" tabIndex={0}>
        {text}
      </pre>
      <div class="actions">
        <CopyButton text={text}>Copy</CopyButton>
      </div>
    </section>
  );
}
