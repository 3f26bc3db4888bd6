// Which path is which page: the name is that of the page's file in features/, the groups are its properties.
const id = "[0-9a-fA-F-]{36}";

export const patterns = {
  "upload/page": /^\/(upload)?$/,
  "assets/list": /^\/assets$/,
  "assets/page": new RegExp(`^/assets/(?<id>${id})$`),
  "jobs/list": /^\/jobs$/,
  "newjob/page": /^\/jobs\/new$/,
  "jobs/page": new RegExp(`^/jobs/(?<id>${id})$`),
  "compare/page": new RegExp(`^/jobs/(?<jobId>${id})/compare$`),
  "tileset/list": /^\/tilesets$/,
  "tileset/page": new RegExp(`^/tilesets/(?<id>${id})$`),
  "usage/page": /^\/usage$/,
};

/** A part of its own, with another sign-in. */
export const isOperators = (path: string): boolean => /^\/operators(\/|$)/.test(path);
