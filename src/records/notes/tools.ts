import { fieldName } from '../../platform/errors/refusal.ts'
import { choice, dateOrInstant, flag, id } from '../../platform/validation/fields.ts'
import { searchText } from '../../platform/validation/text/text.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { cursorInputs, idInput, withUtcSince } from '../../tools/declare/inputs.ts'
import { updateOutcome, cursorOutcome, createOutcome, removeOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { listNotes } from './listing.ts'
import { NOTE, SUBJECTS } from './fields.ts'
import { addNote, archiveNote, changeNote, findNote, lockNote, pinNote, requireMayChange } from './note.ts'
import { refusals } from './refusals.ts'

export const notes = entity({
  name: 'notes',
  singular: 'note',
  subject: 'notes',
  record: NOTE,
  tools: [
    tool({
      verb: 'list',
      title: 'List notes',
      description: 'Notes, newest first; with a query, best match first.',
      input: {
        query: searchText(200).describe('Words in the text'),
        pinned: flag().optional().describe('Pinned or not'),
        subject_type: choice(...SUBJECTS)
          .optional()
          .describe('Type of record'),
        subject_id: id().optional().describe('Only on this record'),
        author_id: id().optional().describe('Written by this user'),
        created_from: dateOrInstant().optional().describe('First day or instant'),
        created_to: dateOrInstant().optional().describe('Last day or instant'),
        ...cursorInputs,
      },
      check: ({ subject_type, subject_id }, problem) => {
        if (subject_id !== undefined && subject_type === undefined)
          problem('subject_type', refusals.subjectIncomplete({ other: fieldName('subject_id') }))
      },
      run: async ({ db, caller }, draft) => {
        const { rows, cursorAfter } = await listNotes(db, caller, withUtcSince(caller, draft))
        return cursorOutcome(rows, draft.limit, cursorAfter, 'rank', 'at')
      },
    }),
    tool({
      verb: 'get',
      title: 'Get a note',
      description: 'A note with its full text.',
      input: idInput,
      run: async ({ db }, { id }) => readOutcome(await findNote(db, id)),
    }),
    tool({
      verb: 'create',
      title: 'Write a note',
      description: 'Adds a note, on a record or on its own.',
      person: true,
      input: NOTE.inputs,
      check: ({ subject_type = null, subject_id = null }, problem) => {
        if (subject_type === null && subject_id !== null)
          problem('subject_type', refusals.subjectIncomplete({ other: fieldName('subject_id') }))
        if (subject_type !== null && subject_id === null)
          problem('subject_id', refusals.subjectIncomplete({ other: fieldName('subject_type') }))
      },
      run: async ({ db, caller }, draft) => createOutcome(await addNote(db, caller, NOTE.complete(draft))),
    }),
    edit({
      verb: 'update',
      title: 'Update a note',
      description: 'Replaces the text. Author or owner only.',
      person: true,
      input: {
        body: NOTE.patchInputs.body,
        subject_type: NOTE.patchInputs.subject_type.meta({ hidden: true }),
        subject_id: NOTE.patchInputs.subject_id.meta({ hidden: true }),
      },
      fixed: ['subject_type', 'subject_id'],
      lock: async ({ db, caller }, { id }) => {
        const note = await lockNote(db, id)
        requireMayChange(note, caller)
        return note
      },
      run: async ({ db, caller }, { body }, before) =>
        updateOutcome(before, await changeNote(db, caller, before.id, body ?? before.body)),
    }),
    tool({
      verb: 'archive',
      title: 'Archive a note',
      description: 'Hides the note. Author or owner only.',
      person: true,
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const before = await lockNote(db, id)
        requireMayChange(before, caller)
        return removeOutcome(await archiveNote(db, caller, id), { archived_at: null })
      },
    }),
  ],
  pageActions: [
    tool({
      verb: 'pin',
      title: 'Pin a note',
      description: 'Pins the note to the top of the list, or unpins it.',
      input: { ...idInput, pinned: flag().describe('Pinned or not') },
      run: async ({ db, caller }, { id, pinned }) => {
        const before = await lockNote(db, id)
        return updateOutcome(before, before.pinned === pinned ? before : await pinNote(db, caller, id, pinned))
      },
    }),
  ],
})
