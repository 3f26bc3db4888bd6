// What is left of the period's credits, at the top of every page.
import { number } from "../ui/format";
import { Meter } from "../ui/meter";
import { account } from "./account";
import { href } from "./router";

export function Credits() {
  const credits = account.value?.usage.processing_credits;
  if (!credits) return <span class="credits" />;
  const { remaining, limit } = credits;
  // So many that a share of them says nothing: a plan for people who run the service for themselves.
  const isPlenty = limit >= 100_000_000;
  return (
    <a class="credits" href={href("/usage")} title="See usage">
      <span class="figures">
        <span class="credits-long">
          {number(remaining)}
          {!isPlenty && ` of ${number(limit)}`} credits
        </span>
        <span class="credits-short">{number(remaining)} credits</span>
      </span>
      {!isPlenty && <Meter value={remaining} most={limit} label="Credits left" />}
    </a>
  );
}
