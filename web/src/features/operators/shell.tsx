// What is around every operators' page. It has the customers' shape, and says at its top that this is the other part.
import type { ComponentChildren } from "preact";
import { Frame } from "../../app/frame";
import { OperatorMenu } from "./operator_menu";
import { OperatorPlaceList } from "./place_list";
import type { OperatorPlace } from "./routes";

interface ShellProps {
  current: OperatorPlace | undefined;
  children: ComponentChildren;
}

export function OperatorShell({ current, children }: ShellProps) {
  const brand = (
    <>
      Tessera <span class="op-brand">operators</span>
    </>
  );
  return (
    <Frame
      class="shell op-shell"
      start="/operators"
      brand={brand}
      places={<OperatorPlaceList current={current} />}
      atRight={<OperatorMenu />}
    >
      {children}
    </Frame>
  );
}
