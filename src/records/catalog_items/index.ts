export { clearCategory, lineSources } from './catalog_item.ts'
export { findPartsByName, listPartNames } from './part_names.ts'
export type { NamedItem } from './part_names.ts'
export type { LineSource } from './catalog_item.ts'
