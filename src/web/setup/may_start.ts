import type { Site } from '../site.ts'

/** Checks whether people may start companies here: the operator allows it, and mail can be delivered. */
export const mayStart = ({ newCompaniesPerDay, mailing }: Pick<Site, 'newCompaniesPerDay' | 'mailing'>): boolean =>
  newCompaniesPerDay > 0 && mailing !== 'none'
