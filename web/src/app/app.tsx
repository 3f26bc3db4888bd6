// The whole page: signing in, or the shell with the page that the address names.
import { useEffect } from "preact/hooks";
import { key } from "../api/session";
import { DropAnywhere } from "./drop_anywhere";
import { lazyPage, type Page } from "./lazy";
import { NotFound } from "./not_found";
import { NoticeBar } from "./notice_bar";
import { isOperators } from "./patterns";
import { QuestionDialog } from "./question_dialog";
import { path, scrollToRestore } from "./router";
import { routeOf } from "./routes";
import { Shell } from "./shell";

const Operators = lazyPage(() => import("../features/operators/app"));
const SignIn = lazyPage(() => import("../features/signin/page"));

/** The page that is shown first: its code is worth waiting for. */
export function firstPage(): Page | undefined {
  if (isOperators(path.peek())) return Operators;
  return key.peek() === undefined ? SignIn : routeOf(path.peek())?.route.page;
}

export function App() {
  const at = path.value;
  const found = routeOf(at);
  const signedIn = key.value !== undefined;

  // A new page starts at its top, and a screen reader at its title; one that was left is as it was.
  useEffect(() => {
    scrollTo(0, scrollToRestore.peek());
    if (signedIn && document.activeElement !== document.body)
      document.getElementById("page-title")?.focus({ preventScroll: true });
  }, [at, signedIn]);

  const Page = found?.route.page;
  const ofOperators = isOperators(at);
  return (
    <>
      {ofOperators ? (
        <Operators />
      ) : signedIn ? (
        <Shell current={found?.route.place}>
          {found && Page ? <Page key={at} {...found.properties} /> : <NotFound />}
        </Shell>
      ) : (
        <SignIn />
      )}
      {signedIn && !ofOperators && <DropAnywhere />}
      <NoticeBar />
      <QuestionDialog />
    </>
  );
}
