import { say } from '../../platform/i18n/say.ts'
import { TOOL_AREAS, grantLevelsOf, type Area, type GrantLevel, type Role } from './areas.ts'

/** Returns the display name of a role. */
export const roleName = (role: Role): string => ROLE_NAMES[role]()

const ROLE_NAMES: Readonly<Record<Role, () => string>> = {
  owner: () => say`Owner`,
  office: () => say`Office`,
  tech: () => say`Technician`,
}

/** Returns the display name of a level. */
export const levelName = (level: GrantLevel): string => LEVEL_NAMES[level]()

const LEVEL_NAMES: Readonly<Record<GrantLevel, () => string>> = {
  none: () => say`None`,
  view: () => say`View`,
  propose: () => say`Propose`,
  edit: () => say`Edit`,
}

/** Returns the display name of an area, and what it covers. */
export const areaName = (area: Area): { name: string; covers: string } => AREA_NAMES[area]()

const AREA_NAMES: Readonly<Record<Area, () => { name: string; covers: string }>> = {
  'Customers & contacts': () => ({
    name: say`Customers & contacts`,
    covers: say`Customers, contacts, locations and tags`,
  }),
  Notes: () => ({ name: say`Notes`, covers: say`Notes on any record` }),
  'Jobs & scheduling': () => ({ name: say`Jobs & scheduling`, covers: say`Jobs and who does them when` }),
  'Recurring jobs': () => ({ name: say`Recurring jobs`, covers: say`Series of jobs that repeat` }),
  Invoices: () => ({ name: say`Invoices`, covers: say`Invoices and their amounts` }),
  Quotes: () => ({ name: say`Quotes`, covers: say`Quotes and their amounts` }),
  'Catalog & pricing': () => ({ name: say`Catalog & pricing`, covers: say`Services, materials and their prices` }),
  Plans: () => ({ name: say`Plans`, covers: say`Maintenance plans` }),
  'Tax rates': () => ({ name: say`Tax rates`, covers: say`Tax rates on quotes and invoices` }),
  Messages: () => ({ name: say`Messages`, covers: say`Texts and emails with customers` }),
}

/** Describes scopes as the end of a sentence: `View everything`, or each area above none. */
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
