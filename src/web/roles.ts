import type { Role } from '../access/rights/areas.ts'

/** Names the roles as people read them. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'Owner', office: 'Office', tech: 'Technician' }
