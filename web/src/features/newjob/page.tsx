// New job: a form made from what the service says of its operations.
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { readAsset, readJob, submitJob } from "../../api/calls";
import { type Operation, readOperations, type Schema } from "../../api/operations";
import { may } from "../../app/account";
import { useResource } from "../../app/resource";
import { go, href, place } from "../../app/router";
import { useTitle } from "../../app/title";
import { ErrorCard } from "../../ui/error_card";
import { Skeleton } from "../../ui/skeleton";
import { CopyAs } from "./copy_as";
import { CostCard } from "./cost_card";
import { draftOf, dropDraft, keepDraft } from "./draft";
import { AssetField } from "./fields/asset_field";
import { SchemaFields } from "./fields/schema_fields";
import { OperationChoice } from "./operation_choice";
import { Outcome } from "./outcome";
import styles from "./page.css?url";
import { cleaned, type Options, problemsOf } from "./values";

export { styles };

export default function NewJobPage() {
  useTitle("New job", { name: "Jobs", href: href("/jobs") });
  const { query } = place.value;
  const from = query.get("from") ?? "";
  const { value, error, reload } = useResource(`operations ${from}`, async (signal) => ({
    operations: await readOperations(),
    source: from ? await readJob(from, { signal }) : undefined,
  }));
  if (!value)
    return error ? (
      <ErrorCard title="The form could not be made" error={error} retry={reload} />
    ) : (
      <Skeleton rows={6} />
    );
  const { operations, source } = value;
  const wanted = query.get("operation") ?? source?.operation;
  const operation = operations.find(({ name }) => name === wanted) ?? operations[0];
  if (!operation) return null;
  const given =
    source?.operation === operation.name ? { assetId: source.asset_id, options: source.options } : undefined;
  return (
    <JobForm
      key={`${operation.name} ${from}`}
      operations={operations}
      operation={operation}
      given={given}
      assetId={query.get("asset_id") ?? undefined}
    />
  );
}

interface JobFormProps {
  operations: Operation[];
  operation: Operation;
  /** Of the job that is to be run again. */
  given: { assetId: string | undefined; options: Options } | undefined;
  assetId: string | undefined;
}

const assetSchema: Schema = { type: "string", format: "uuid", description: "The picture that the job works on." };

function JobForm({ operations, operation, given, assetId: asked }: JobFormProps) {
  const draft = useMemo(() => given ?? draftOf(operation.name), [given, operation.name]);
  const [assetId, setAssetId] = useState(asked ?? draft.assetId);
  const [options, setOptions] = useState<Options>(draft.options);
  const [tried, setTried] = useState(false);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  // At once: a reload may come before the next frame.
  useLayoutEffect(() => keepDraft(operation.name, { assetId, options }), [operation.name, assetId, options]);

  const takesAsset = operation.asset !== "absent";
  const { value: asset } = useResource(`asset ${assetId ?? ""}`, async (signal) =>
    assetId ? readAsset(assetId, { signal }) : undefined,
  );
  const problems = useMemo(() => {
    const found = problemsOf(operation.options, options);
    if (operation.asset === "required" && !assetId) found.set("asset_id", "is needed");
    return found;
  }, [operation, options, assetId]);
  const job = {
    ...(takesAsset && assetId ? { asset_id: assetId } : {}),
    operation: operation.name,
    options: cleaned(options),
  };

  async function submit(event: Event) {
    event.preventDefault();
    setTried(true);
    const first = problems.keys().next().value;
    if (first !== undefined) {
      const field = document.getElementById(first);
      const fold = field?.closest("details");
      if (fold) fold.open = true;
      field?.focus();
      return;
    }
    setPending(true);
    setFailure(undefined);
    try {
      const { value } = await submitJob(job);
      dropDraft(operation.name);
      go(`/jobs/${value.id}`);
    } catch (error) {
      setFailure(error);
    } finally {
      setPending(false);
    }
  }

  return (
    <form class="split" onSubmit={(event) => void submit(event)} noValidate>
      <div class="stack">
        <OperationChoice operations={operations} chosen={operation.name} assetId={assetId} />
        <section class="card card-part stack" aria-label="Options">
          <p class="muted">{operation.description}</p>
          {takesAsset && (
            <AssetField
              path="asset_id"
              name="picture"
              schema={assetSchema}
              required={operation.asset === "required"}
              value={assetId}
              change={setAssetId}
              problems={tried ? problems : new Map()}
            />
          )}
          <SchemaFields
            path=""
            schema={operation.options}
            value={options}
            change={(next) => setOptions(next ?? {})}
            problems={tried ? problems : new Map()}
          />
          {Object.keys(operation.rules).length > 0 && (
            <details class="small-text muted">
              <summary>Rules between options</summary>
              <ul class="rules">
                {Object.entries(operation.rules).map(([name, rule]) => (
                  <li key={name}>{rule}</li>
                ))}
              </ul>
            </details>
          )}
        </section>
      </div>
      <div class="stack newjob-side">
        <Outcome operation={operation.name} options={options} asset={asset} />
        <CostCard operation={operation.name} options={options} asset={asset} />
        {failure !== undefined && <ErrorCard title="The job was refused" error={failure} />}
        {tried && problems.size > 0 && (
          <p class="bad-text" role="alert">
            {problems.size === 1 ? "One field needs" : `${problems.size} fields need`} a look.
          </p>
        )}
        <button type="submit" class="button primary wide" disabled={pending || !may("jobs:write")} aria-busy={pending}>
          {pending ? "Submitting …" : "Submit"}
        </button>
        {!may("jobs:write") && <p class="muted">The role of your key does not let it submit jobs.</p>}
        <CopyAs job={job} />
      </div>
    </form>
  );
}
