export { moveNotes } from './note.ts'
export { SUBJECTS, type SubjectType } from './fields.ts'
export { listNoteEvents, listPinnedNotes } from './story.ts'
export type { NoteEvent } from './story.ts'
