import { say } from '../../platform/i18n/say.ts'
import { AREA_NAMES, grantLevelsOf, type Area, type GrantLevel, type Role } from './areas.ts'

/** Names a role as people read it. */
export function roleName(role: Role): string {
  switch (role) {
    case 'owner':
      return say`Owner`
    case 'office':
      return say`Office`
    case 'tech':
      return say`Technician`
  }
}

/** Names a level as people read it. */
export function levelName(level: GrantLevel): string {
  switch (level) {
    case 'none':
      return say`None`
    case 'view':
      return say`View`
    case 'propose':
      return say`Propose`
    case 'edit':
      return say`Edit`
  }
}

/** Names an area as people read it, and says what is in it. */
export function areaName(area: Area): { name: string; covers: string } {
  switch (area) {
    case 'Customers & contacts':
      return { name: say`Customers & contacts`, covers: say`Customers, contacts, locations and tags` }
    case 'Notes':
      return { name: say`Notes`, covers: say`Notes on any record` }
    case 'Jobs & scheduling':
      return { name: say`Jobs & scheduling`, covers: say`Jobs and who does them when` }
    case 'Recurring jobs':
      return { name: say`Recurring jobs`, covers: say`Series of jobs that repeat` }
    case 'Invoices':
      return { name: say`Invoices`, covers: say`Invoices and their amounts` }
    case 'Quotes':
      return { name: say`Quotes`, covers: say`Quotes and their amounts` }
    case 'Catalog & pricing':
      return { name: say`Catalog & pricing`, covers: say`Services, materials and their prices` }
    case 'Plans':
      return { name: say`Plans`, covers: say`Maintenance plans` }
    case 'Tax rates':
      return { name: say`Tax rates`, covers: say`Tax rates on quotes and invoices` }
  }
}

/** Returns what scopes amount to, as the end of a sentence: `View everything`, or each area above none. */
export function describeScopes(scopes: readonly string[], proposes: readonly string[] = []): string {
  const levels = grantLevelsOf(scopes, proposes)
  const given = AREA_NAMES.filter((area) => levels[area] !== 'none')
  if (given.length === 0) return say`Nothing`
  const [one] = given.map((area) => levels[area])
  if (given.length === AREA_NAMES.length && given.every((area) => levels[area] === one))
    return one === 'edit' ? say`Edit everything` : one === 'propose' ? say`Propose everything` : say`View everything`
  return given.map((area) => `${areaName(area).name}: ${levelName(levels[area])}`).join(', ')
}
