import type { ServiceNode } from "../api/types";

const roles = { api: "API", worker: "worker", both: "API and worker" } as const;

export const roleOf = ({ role }: ServiceNode): string => roles[role] ?? role;
