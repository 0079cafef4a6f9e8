import type { Role } from '../../identity/permissions/areas.ts'

/** People of the demo company. The first one is its owner. */
export const PEOPLE = {
  dana: { name: 'Dana Whitfield', role: 'owner' },
  priya: { name: 'Priya Raman', role: 'office' },
  marcus: { name: 'Marcus Bell', role: 'tech' },
  luis: { name: 'Luis Ortega', role: 'tech' },
  tasha: { name: 'Tasha Nguyen', role: 'tech' },
  cole: { name: 'Cole Hendricks', role: 'tech' },
} as const satisfies Record<string, { name: string; role: Role }>

export type PersonName = keyof typeof PEOPLE

/** Returns a person's email address. Further demo companies in the same database add their number. */
export const emailOf = (person: string, company: number): string =>
  `${person}${company > 1 ? `+${company}` : ''}@${DOMAIN}`

const DOMAIN = 'bartonridge.example'
