/**
 * Returns the constraint that a shard's error names. A cluster puts the name only in the message, with the shard's
 * number after it.
 */
export const constraintOfPart = ({ message }: Error): string | undefined =>
  /constraint "([a-z_0-9]+?)_\d+"/.exec(message)?.[1]
