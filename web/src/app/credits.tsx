// What is left of the period's credits, at the top of every page.
import { number } from "../ui/format";
import { Meter } from "../ui/meter";
import { account } from "./account";
import { href } from "./router";

export function Credits() {
  const credits = account.value?.usage.processing_credits;
  if (!credits) return <span class="credits" />;
  const { remaining, limit } = credits;
  return (
    <a class="credits" href={href("/usage")} title="See usage">
      <span class="figures">
        <span class="credits-long">
          {number(remaining)} of {number(limit)} credits
        </span>
        <span class="credits-short">{number(remaining)} credits</span>
      </span>
      <Meter value={remaining} most={limit} label="Credits left" />
    </a>
  );
}
