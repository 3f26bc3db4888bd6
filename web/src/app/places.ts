// The five places of the console.
import { computed, type ReadonlySignal } from "@preact/signals";
import { number } from "../ui/format";
import type { IconName } from "../ui/icon";
import { assetCount, type Count, tilesetCount, unfinishedJobs } from "./counts";
import type { Route } from "./routes";

export interface PlaceLink {
  place: NonNullable<Route["place"]>;
  name: string;
  path: string;
  icon: IconName;
  /** What the number is, for those who do not see where it stands. */
  counts?: string;
  count?: ReadonlySignal<string | undefined>;
}

const words = (count: Count | undefined) => count && `${number(count.value)}${count.more ? "+" : ""}`;

export const places: PlaceLink[] = [
  { place: "upload", name: "Upload", path: "/upload", icon: "upload" },
  {
    place: "assets",
    name: "Assets",
    path: "/assets",
    icon: "assets",
    counts: "stored",
    count: computed(() => words(assetCount.value)),
  },
  {
    place: "jobs",
    name: "Jobs",
    path: "/jobs",
    icon: "jobs",
    counts: "not ended",
    count: computed(() => (unfinishedJobs.value ? number(unfinishedJobs.value) : undefined)),
  },
  {
    place: "tilesets",
    name: "Tilesets",
    path: "/tilesets",
    icon: "tilesets",
    counts: "stored",
    count: computed(() => words(tilesetCount.value)),
  },
  { place: "usage", name: "Usage", path: "/usage", icon: "usage" },
];
