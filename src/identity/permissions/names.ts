import { say } from '../../platform/i18n/say.ts'
import { TOOL_AREAS, grantLevelsOf, type Area, type GrantLevel, type Role } from './areas.ts'

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
    case 'Messages':
      return { name: say`Messages`, covers: say`Texts and e-mails with customers` }
  }
}

/** Returns what scopes amount to, as the end of a sentence: `View everything`, or each area above none. */
export function describeScopes(scopes: readonly string[], proposes: readonly string[] = []): string {
  const levels = grantLevelsOf(scopes, proposes)
  const areas = TOOL_AREAS.filter((area) => levels[area] !== 'none')
  const [one] = areas.map((area) => levels[area])
  const isUniform = areas.length === TOOL_AREAS.length && areas.every((area) => levels[area] === one)
  const all = one === 'edit' ? say`Edit everything` : one === 'propose' ? say`Propose everything` : say`View everything`
  const levelText = (area: Area): string => `${areaName(area).name}: ${levelName(levels[area])}`
  const parts = [
    ...(isUniform ? [all] : areas.map(levelText)),
    ...(levels.Messages === 'none' ? [] : [levelText('Messages')]),
  ]
  return parts.length === 0 ? say`Nothing` : parts.join(', ')
}
