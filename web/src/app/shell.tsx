// What is around every customers' page: the five places, credits, the account.
import type { ComponentChildren } from "preact";
import { AccountMenu } from "./account_menu";
import { Credits } from "./credits";
import { Frame } from "./frame";
import { PlaceList } from "./place_list";
import type { Route } from "./routes";
import "./shell.css";

export function Shell({ current, children }: { current: Route["place"]; children: ComponentChildren }) {
  const atRight = (
    <>
      <Credits />
      <AccountMenu />
    </>
  );
  return (
    <Frame start="/" brand="Tessera" places={<PlaceList current={current} />} atRight={atRight}>
      {children}
    </Frame>
  );
}
