// What the job costs and which limits of the plan it meets, before it is submitted.
import type { Asset } from "../../api/types";
import { account } from "../../app/account";
import { count, number } from "../../ui/format";
import { Meter } from "../../ui/meter";
import { countedPixels, creditsOf } from "./cost";
import { checksOf, isOver, wordsFor } from "./limit_checks";
import type { Options } from "./values";

interface CostCardProps {
  operation: string;
  options: Options;
  asset: Asset | undefined;
}

export function CostCard({ operation, options, asset }: CostCardProps) {
  const pixels = countedPixels(operation, options, asset);
  const left = account.value?.usage.processing_credits.remaining;
  const checks = checksOf(operation, options, asset);
  return (
    <section class="card card-part stack" aria-label="Cost and limits">
      <div>
        <p class="figure">{pixels === undefined ? "–" : count(creditsOf(pixels), "credit")}</p>
        <p class="muted figures">
          {pixels === undefined
            ? "Known when the picture and sizes are. "
            : `${(pixels / 1_000_000).toFixed(2)} megapixels count. `}
          {left !== undefined && `${number(left)} left.`}
        </p>
      </div>
      {checks.length > 0 && (
        <ul class="limits">
          {checks.map((check) => (
            <li key={check.name}>
              <span>{check.name}</span>
              <span class={`figures ${isOver(check) ? "bad-text" : "muted"}`}>
                {wordsFor(check)}
                {isOver(check) && ", too much"}
              </span>
              <Meter
                value={check.asked}
                most={check.allowed}
                label={check.name}
                kind={isOver(check) ? "bad" : "accent"}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
