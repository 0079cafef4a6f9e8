/** Limits how often one address may ask; for a hosted assistant it is the address of all its users. */
export const LIMITS = {
  /** Counts client registrations in 15 minutes. */
  registrations: 300,
  /** Counts look-ups of client metadata documents in 15 minutes. */
  documents: 300,
  /** Counts authorize requests a minute. */
  authorize: 300,
  /** Counts token and revocation requests a minute. */
  tokens: 1_200,
}
