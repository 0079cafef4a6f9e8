export { moveNotes } from './note.ts'
export { SUBJECTS } from './fields.ts'
