/** Matches the secret of a customer's link, whole or cut off at the end of an excerpt. */
const SECRETS = /\/c\/(?:[\w-]{22}(?![\w-])|[\w-]{1,21}$)/g

/**
 * Returns a message's text without the secrets of customers' links. A link is for whom it was sent to: a colleague who
 * reads the message can't answer in the customer's place (docs/spec/links.md#the-secret).
 */
export const hideLinks = (text: string): string => text.replace(SECRETS, '/c/…')
