/** Thrown after the new release answered: going back would lose what it accepted. */
export class StaysError extends Error {}
