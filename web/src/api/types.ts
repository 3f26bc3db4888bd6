// The shapes that the service takes and answers: those that the clients are generated with, never typed again here.
export type * from "../../../clients/typescript/src/types";
