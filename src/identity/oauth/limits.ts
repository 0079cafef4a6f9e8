/** Rate limits per address. All users of a hosted assistant share its address. */
export const LIMITS = {
  /** Client registrations per 15 minutes. */
  registrations: 300,
  /** Lookups of client metadata documents per 15 minutes. */
  documents: 300,
  /** Authorize requests per minute. */
  authorize: 300,
  /** Token and revocation requests per minute. */
  tokens: 1_200,
}
