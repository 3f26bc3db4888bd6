// A rate with as many digits as say something: 0, 0.4, 3.2, 58, 1,204.
import { number } from "../../../ui/format";

export function rate(value: number): string {
  if (value === 0) return "0";
  if (value < 0.1) return "< 0.1";
  return number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}
