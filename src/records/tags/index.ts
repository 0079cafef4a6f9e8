export { listTags, mergeTags, retagCustomer, tagCustomer, tagsOf } from './tag.ts'
export { TAG, type TagRow } from './fields.ts'
