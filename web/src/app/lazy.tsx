// Pages whose code, and stylesheet, are fetched when they are first opened.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { ErrorCard } from "../ui/error_card";
import { Skeleton } from "../ui/skeleton";
import { useNewVersionNotice } from "./new_version";
import { stylesheet } from "./stylesheet";

/** What a page's module has: the page, and the address of its stylesheet (`import styles from "./page.css?url"`). */
interface PageModule {
  // biome-ignore lint/suspicious/noExplicitAny: each page has the properties that its route's pattern names
  default: ComponentType<any>;
  styles?: string;
}

export type Page = ComponentType<Record<string, string>> & { load(): Promise<void> };

export function lazyPage(fetchModule: () => Promise<PageModule>): Page {
  const loaded = signal<ComponentType<Record<string, string>> | undefined>(undefined);
  const failed = signal<unknown>(undefined);
  let pending: Promise<void> | undefined;

  async function fetchAll() {
    failed.value = undefined;
    const module = await fetchModule();
    if (module.styles) await stylesheet(module.styles);
    loaded.value = module.default;
  }

  const load = () => {
    pending ??= fetchAll().catch((error: unknown) => {
      pending = undefined;
      failed.value = error;
    });
    return pending;
  };

  function LazyPage(properties: Record<string, string>) {
    useLayoutEffect(() => void load(), []);
    useNewVersionNotice(failed.value !== undefined);
    const Loaded = loaded.value;
    if (Loaded) return <Loaded {...properties} />;
    if (failed.value) {
      return <ErrorCard title="This page could not be loaded" error={failed.value} retry={() => void load()} />;
    }
    return <Skeleton rows={6} />;
  }
  return Object.assign(LazyPage, { load });
}
