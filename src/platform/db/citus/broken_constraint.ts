/**
 * Returns the violated constraint of a shard's error. A cluster names it only in the message, with the shard's number
 * appended.
 */
export const constraintOfShard = ({ message }: Error): string | undefined =>
  /constraint "([a-z_0-9]+?)_\d+"/.exec(message)?.[1]
