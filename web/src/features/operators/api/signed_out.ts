// Tells "nobody is signed in" from everything else that can go wrong.
import { ApiError } from "../../../api/errors";

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === "not_signed_in";
