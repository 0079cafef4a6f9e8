/** In seconds (docs/spec/oauth.md#tokens). */
export const ACCESS_TOKEN = 3_600
export const CODE = 60
/** Lasts from the authorize request to its approval: time to sign in, and to find a password. */
export const INTERACTION = 3_600
export const ID_TOKEN = 3_600

const DAY = 86_400
/** Ends a refresh token that nobody uses. */
export const IDLE_DAYS = 60
export const REFRESH_IDLE = IDLE_DAYS * DAY
/** Ends an authorization, however often it is refreshed. */
export const REFRESH_IN_ALL = 365 * DAY
/** The age at which a confidential client's refresh token is replaced. */
export const REFRESH_LATE = 42 * DAY
