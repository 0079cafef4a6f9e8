export { clearCategory, lineSources } from './catalog_item.ts'
export { seesCost } from './cost.ts'
export { findPartNamed, listPartNames } from './part_names.ts'
export type { LineSource } from './catalog_item.ts'
