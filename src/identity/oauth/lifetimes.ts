/** Lifetimes in seconds (docs/spec/oauth.md#tokens). */
export const ACCESS_TOKEN = 3_600
export const CODE = 60
/** Lifetime of an authorize request until its approval: time to sign in and to find a password. */
export const INTERACTION = 3_600
export const ID_TOKEN = 3_600

const DAY = 86_400
/** Days after which an unused refresh token expires. */
export const IDLE_DAYS = 60
export const REFRESH_IDLE = IDLE_DAYS * DAY
/** Maximum lifetime of an authorization, including refreshes. */
export const MAX_AUTHORIZATION_AGE = 365 * DAY
/** Age at which a confidential client's refresh token is rotated. */
export const REFRESH_ROTATION_AGE = 42 * DAY
