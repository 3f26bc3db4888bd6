// What is around every page: the five places, where one is, credits, the account.
import type { ComponentChildren } from "preact";
import { reachable } from "../api/connection";
import { Logo } from "../ui/logo";
import { AccountMenu } from "./account_menu";
import { Credits } from "./credits";
import { PlaceList } from "./place_list";
import { href } from "./router";
import type { Route } from "./routes";
import "./shell.css";
import { parent, title } from "./title";

export function Shell({ current, children }: { current: Route["place"]; children: ComponentChildren }) {
  const above = parent.value;
  return (
    <div class="shell">
      <button type="button" class="skip button" onClick={() => document.getElementById("page-title")?.focus()}>
        Skip to the page
      </button>
      <nav class="side" aria-label="Places">
        <a class="brand" href={href("/")}>
          <Logo />
          <span>Tessera</span>
        </a>
        <PlaceList current={current} />
      </nav>
      <header class="top">
        <h1 id="page-title" tabIndex={-1}>
          {above && (
            <>
              <a class="above" href={above.href}>
                {above.name}
              </a>
              <span class="above-mark" aria-hidden="true">
                /
              </span>
            </>
          )}
          <span class="here">{title.value}</span>
        </h1>
        <Credits />
        <AccountMenu />
      </header>
      {!reachable.value && (
        <p class="away" role="status">
          The service can't be reached. What you see stays; the console goes on by itself when it is back.
        </p>
      )}
      <main class="page">{children}</main>
    </div>
  );
}
