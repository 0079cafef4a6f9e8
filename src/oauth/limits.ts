/** How often one address may ask: of a hosted assistant it is the address of all its users. */
export const LIMITS = {
  /** Client registrations in 15 minutes. */
  registrations: 300,
  /** Look-ups of client metadata documents in 15 minutes. */
  documents: 300,
  /** Authorize requests a minute. */
  authorize: 300,
  /** Token and revocation requests a minute. */
  tokens: 1_200,
}
