export { moveNotes } from './note.ts'
export { SUBJECTS, type SubjectType } from './fields.ts'
export { listNoteEvents, listPinnedNotes } from './note_events.ts'
export type { NoteEvent } from './note_events.ts'
