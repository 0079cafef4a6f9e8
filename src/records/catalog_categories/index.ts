export { allCategories, branch, categoryNames, findCategory, requireCategory } from './catalog_category.ts'
