/**
 * Names the constraint that was broken in a part of a table, which a cluster says in its message alone, with the part's
 * number behind it.
 */
export const constraintOfPart = ({ message }: Error): string | undefined =>
  /constraint "([a-z_0-9]+?)_\d+"/.exec(message)?.[1]
