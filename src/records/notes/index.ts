export { moveNotes, SUBJECTS } from './note.ts'
