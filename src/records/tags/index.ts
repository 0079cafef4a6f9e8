export { listTags, mergeTags, retagCustomer, tagCustomer, tagsOf } from './tag.ts'
export { type TagRow } from './fields.ts'
