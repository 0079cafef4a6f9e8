export { branchIds, categoryNames, findCategory, requireCategory } from './catalog_category.ts'
export { allCategories } from './paths.ts'
