export { clearCategory, lineSources } from './catalog_item.ts'
export type { LineSource } from './catalog_item.ts'
