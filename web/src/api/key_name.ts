/** Where the tab keeps the API key. */
export const keyName = "tessera.key";
