// Endpoints: where, whose, whether they work, and the switch.
import { notify } from "../../../app/notices";
import { href } from "../../../app/router";
import { count } from "../../../ui/format";
import { When } from "../../../ui/when";
import { disableEndpoint, enableEndpoint } from "../api/calls";
import type { Endpoint } from "../api/types";
import { Pill } from "../parts/pill";
import { type Column, Row, Table } from "../parts/table";
import { tellFailure } from "../parts/tell_failure";

const columns: Column[] = [
  { name: "Endpoint" },
  { name: "Account", hide: "phone" },
  { name: "State" },
  { name: "Events", hide: "narrow" },
  { name: "Act", unseen: true, figures: true },
];

interface EndpointTableProps {
  endpoints: readonly Endpoint[];
  /** The id of the one whose deliveries are shown; empty: of all. */
  chosen: string;
  choose(id: string): void;
  changed(next: Endpoint): void;
}

export function EndpointTable({ endpoints, chosen, choose, changed }: EndpointTableProps) {
  async function turn(endpoint: Endpoint, on: boolean) {
    try {
      changed(await (on ? enableEndpoint : disableEndpoint)(endpoint.id));
    } catch (error) {
      tellFailure(error);
      return;
    }
    if (on) return;
    const pressed = await notify({
      text: `${endpoint.url} is disabled: nothing is sent there.`,
      actions: ["Undo"],
    });
    if (pressed === "Undo") await turn(endpoint, true);
  }
  return (
    <Table label="Endpoints" columns={columns}>
      {endpoints.map((endpoint) => {
        const isOn = endpoint.status !== "disabled";
        return (
          <Row
            key={endpoint.id}
            columns={columns}
            cells={[
              <>
                <button
                  type="button"
                  class="link-button op-url"
                  aria-pressed={endpoint.id === chosen}
                  title="Show its deliveries"
                  onClick={() => choose(endpoint.id === chosen ? "" : endpoint.id)}
                >
                  {endpoint.url}
                </button>
                {endpoint.description && <span class="muted small-text op-below">{endpoint.description}</span>}
              </>,
              <a key="account" href={href(`/operators/accounts/${endpoint.account_id}`)}>
                {endpoint.account}
              </a>,
              <EndpointState key="state" endpoint={endpoint} />,
              <span key="events" class="mono">
                {endpoint.events.length === 0 ? "all" : endpoint.events.join(", ")}
              </span>,
              <button
                key="act"
                type="button"
                class="button small"
                aria-label={`${isOn ? "Disable" : "Enable"} ${endpoint.url}`}
                onClick={() => void turn(endpoint, !isOn)}
              >
                {isOn ? "Disable" : "Enable"}
              </button>,
            ]}
          />
        );
      })}
    </Table>
  );
}

function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.status === "disabled") {
    return (
      <>
        <Pill tone="bad">disabled</Pill>
        {endpoint.disabled_reason && <span class="muted small-text op-below">{endpoint.disabled_reason}</span>}
      </>
    );
  }
  if (endpoint.failing_since) {
    return (
      <>
        <Pill tone="busy">failing</Pill>
        <span class="muted small-text op-below">
          {count(endpoint.failures, "time")}, for <When at={endpoint.failing_since} />
        </span>
      </>
    );
  }
  return <Pill tone="good">{endpoint.status}</Pill>;
}
