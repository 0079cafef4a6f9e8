import { nonEmptyLongText } from '../../../platform/validation/text/text.ts'
import { defineKind } from '../kind.ts'

/** Adds a note to the visit, regardless of the visit's status. */
export const note = defineKind({ body: nonEmptyLongText(10_000) }, ({ call }, { body }, { id }) =>
  call('notes_create', { body, subject_type: 'job', subject_id: id }),
)
