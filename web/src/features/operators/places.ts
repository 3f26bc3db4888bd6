// The operators' places. On a phone the first four have room at the bottom, the others are behind "More".
import type { OperatorPlace } from "./routes";

export interface OperatorPlaceLink {
  place: OperatorPlace;
  name: string;
  path: string;
  /** Drawn as those of ui/icon.tsx, which is loaded by every customer and so does not have them. */
  icon: string;
}

export const operatorPlaces: OperatorPlaceLink[] = [
  { place: "overview", name: "Overview", path: "/operators", icon: "M2 8.5h3l2-5 3 9 2-4h2" },
  {
    place: "accounts",
    name: "Accounts",
    path: "/operators/accounts",
    icon: "M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.9c1.6.6 2.5 1.8 2.5 3.6",
  },
  {
    place: "usage",
    name: "Usage",
    path: "/operators/usage",
    icon: "M2.5 13.5h11M4 11V8M8 11V3.5M12 11V6",
  },
  {
    place: "webhooks",
    name: "Webhooks",
    path: "/operators/webhooks",
    icon: "M2.5 8 13.5 2.5 10 13.5 7.5 9ZM7.5 9l6-6.5",
  },
  {
    place: "plans",
    name: "Plans",
    path: "/operators/plans",
    icon: "M8 2.5 14 5.5 8 8.5 2 5.5ZM2 8.2l6 3 6-3M2 10.9l6 3 6-3",
  },
  {
    place: "audit",
    name: "Audit trail",
    path: "/operators/audit",
    icon: "M4 2.5h8v11H4ZM6 5.5h4M6 8h4M6 10.5h2.5",
  },
  {
    place: "configuration",
    name: "Configuration",
    path: "/operators/configuration",
    icon: "M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 3v3M6 10v3",
  },
];

export const placesOnPhone = 4;
