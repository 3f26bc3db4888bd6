/** Jobs that are read at once while one scrolls. */
export const jobsAtOnce = 100;
/** Fewer, so that the first rows are there soon; the next page is asked for as soon as they are. */
export const jobsAtFirst = 50;
