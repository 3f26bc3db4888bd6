// What is around every page of either part: brand and places, where one is, what is at the right of the top.
import type { ComponentChildren } from "preact";
import { reachable } from "../api/connection";
import { Logo } from "../ui/logo";
import { href } from "./router";
import { parent, title } from "./title";

interface FrameProps {
  class?: string;
  /** Where the brand leads. */
  start: string;
  brand: ComponentChildren;
  places: ComponentChildren;
  atRight: ComponentChildren;
  children: ComponentChildren;
}

export function Frame({ class: name = "shell", start, brand, places, atRight, children }: FrameProps) {
  const above = parent.value;
  return (
    <div class={name}>
      <button type="button" class="skip button" onClick={() => document.getElementById("page-title")?.focus()}>
        Skip to the page
      </button>
      <nav class="side" aria-label="Places">
        <a class="brand" href={href(start)}>
          <Logo />
          <span>{brand}</span>
        </a>
        {places}
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
        {atRight}
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
