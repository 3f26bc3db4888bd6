// Overview: how the service does now. Asked for again by itself, until it is paused.
import { useState } from "preact/hooks";
import { oneOf, parseQuery, queryOf } from "../../../app/query";
import { go, place } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { ErrorCard } from "../../../ui/error_card";
import { Skeleton } from "../../../ui/skeleton";
import { Refused } from "../parts/refused";
import { Backlog } from "./backlog";
import { ErrorTallies } from "./error_tallies";
import { Figures } from "./figures";
import { NodePart } from "./node_part";
import { intervals, overview, overviewError, samples, usePolling } from "./polled";
import { RefreshBar } from "./refresh_bar";
import { Stored } from "./stored";
import { Today } from "./today";

const schema = { every: oneOf(intervals, "2") };

export default function OverviewPage() {
  useTitle("Overview");
  const { values, refused } = parseQuery(schema, place.value.query);
  const [round, setRound] = useState(0);
  usePolling(values.every, round);
  const read = overview.value;
  return (
    <div class="stack">
      <RefreshBar
        every={values.every}
        choose={(every) => go("/operators", queryOf(schema, { every }), { replace: true })}
        refresh={() => setRound(round + 1)}
      />
      <Refused refused={refused} />
      {overviewError.value !== undefined && (
        <ErrorCard
          title="The overview could not be read"
          error={overviewError.value}
          retry={() => setRound(round + 1)}
        />
      )}
      {!read && overviewError.value === undefined && <Skeleton rows={6} />}
      {read && (
        <>
          <Figures overview={read} samples={samples.value} />
          <div class="op-halves">
            <Backlog queue={read.queue} />
            <Today today={read.today} />
          </div>
          <NodePart nodes={read.nodes} />
          <div class="op-halves">
            <ErrorTallies nodes={read.nodes} />
            <Stored overview={read} />
          </div>
        </>
      )}
    </div>
  );
}
