// What is around every operators' page. It has the customers' shape, and says at its top that this is the other part.
import type { ComponentChildren } from "preact";
import { reachable } from "../../api/connection";
import { href } from "../../app/router";
import { parent, title } from "../../app/title";
import { Logo } from "../../ui/logo";
import { OperatorMenu } from "./operator_menu";
import { OperatorPlaceList } from "./place_list";
import type { OperatorPlace } from "./routes";

interface ShellProps {
  current: OperatorPlace | undefined;
  children: ComponentChildren;
}

export function OperatorShell({ current, children }: ShellProps) {
  const above = parent.value;
  return (
    <div class="shell op-shell">
      <button type="button" class="skip button" onClick={() => document.getElementById("page-title")?.focus()}>
        Skip to the page
      </button>
      <nav class="side" aria-label="Places">
        <a class="brand" href={href("/operators")}>
          <Logo />
          <span>
            Tessera <span class="op-brand">operators</span>
          </span>
        </a>
        <OperatorPlaceList current={current} />
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
        <OperatorMenu />
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
