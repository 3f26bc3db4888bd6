// Asks the operators' interface: by way of the one fetch function, with the cookie and the header that other sites can't send.
import { ApiError } from "../../../api/errors";
import { type Ask, request } from "../../../api/request";
import { endSession, session } from "./session";

export type DeskAsk = Pick<Ask, "method" | "query" | "body" | "signal">;

/** A session that ends while the person works leads to the sign-in page, and from there back to where they were. */
export async function desk<T>(path: string, ask: DeskAsk = {}): Promise<T> {
  const isRead = (ask.method ?? "GET") === "GET";
  try {
    return await request<T>(`console/api/${path}`, {
      ...ask,
      key: null,
      cookies: true,
      headers: isRead ? {} : { "X-Tessera-Console": "1" },
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_signed_in" && session.peek()) endSession(error.message);
    throw error;
  }
}
