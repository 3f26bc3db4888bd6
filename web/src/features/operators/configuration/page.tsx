// The configuration in force: every setting, what it is, where it came from. Secrets are not shown.
import { oneOf, parseQuery, queryOf } from "../../../app/query";
import { useResource } from "../../../app/resource";
import { go, href, place } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { EmptyState } from "../../../ui/empty_state";
import { ErrorCard } from "../../../ui/error_card";
import { count, number } from "../../../ui/format";
import { Segments } from "../../../ui/segments";
import { Skeleton } from "../../../ui/skeleton";
import { readConfiguration } from "../api/calls";
import { anyText } from "../parts/any_text";
import { Refused } from "../parts/refused";
import { SearchField } from "../parts/search_field";
import { SettingRow } from "./setting_row";
import { differs, matches, sectionsOf } from "./settings";

const schema = { q: anyText, show: oneOf(["all", "changed"], "all") };

export default function ConfigurationPage() {
  useTitle("Configuration");
  const { values, refused } = parseQuery(schema, place.value.query);
  const read = useResource("configuration", (signal) => readConfiguration({ signal }));
  const all = read.value?.settings ?? [];
  const changed = all.filter(differs).length;
  const found = all.filter((one) => matches(one, values.q) && (values.show === "all" || differs(one)));
  const change = (next: Partial<typeof values>) =>
    go("/operators/configuration", queryOf(schema, { ...values, ...next }), { replace: true });
  return (
    <div class="stack">
      <div class="row op-bar">
        <SearchField label="Name, value or words" value={values.q} change={(q) => change({ q })} />
        <Segments
          label="Which settings"
          value={values.show}
          choices={[
            { value: "all", name: "All" },
            { value: "changed", name: read.value ? `Changed, ${number(changed)}` : "Changed" },
          ]}
          choose={(show) => change({ show })}
        />
        <span class="muted small-text push figures" role="status">
          {read.value && count(found.length, "setting")}
        </span>
      </div>
      <Refused refused={refused} />
      {read.error !== undefined && (
        <ErrorCard title="The configuration could not be read" error={read.error} retry={read.reload} />
      )}
      {!read.value && read.error === undefined && <Skeleton rows={10} />}
      {read.value && found.length === 0 && (
        <EmptyState title="No setting matches" text="None has this in its name, its value or its description.">
          <a class="button" href={href("/operators/configuration")}>
            Show all settings
          </a>
        </EmptyState>
      )}
      {sectionsOf(found).map(([section, settings]) => (
        <section key={section} class="card" aria-label={section}>
          <h2 class="op-section-name">{section}</h2>
          <ul>
            {settings.map((setting) => (
              <SettingRow key={setting.key} setting={setting} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
