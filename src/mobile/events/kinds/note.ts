import { requiredLongText } from '../../../platform/validation/text/text.ts'
import { kind } from '../kind.ts'

/** Puts a note on the visit, whatever became of it. */
export const note = kind({ body: requiredLongText(10_000) }, ({ call }, { body }, { id }) =>
  call('notes_create', { body, subject_type: 'job', subject_id: id }),
)
