/** Matches the secret of a customer link, complete or cut off at the end of an excerpt. */
const SECRETS = /\/c\/(?:[\w-]{22}(?![\w-])|[\w-]{1,21}$)/g

/**
 * Returns a text without the secrets of customer links. Only the recipient may use a link: a colleague who reads the
 * message must not answer for the customer (docs/spec/links.md#the-secret).
 */
export const hideLinks = (text: string): string => text.replace(SECRETS, '/c/…')
