import type { ImportedFile } from '../../imports/reading/imported_file.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'

/** Returns the label of an import's state. */
export function importStateLabel({ state, is_stuck }: Pick<ImportedFile, 'state' | 'is_stuck'>): string {
  if (is_stuck) return say`Stopped in the middle`
  return {
    mapping: say`Columns to review`,
    checking: say`Being checked`,
    ready: say`Ready`,
    running: say`In progress`,
    done: say`Imported`,
    failed: say`Stopped in the middle`,
    taking_back: say`Undoing`,
    taken_back: sayFor('import')`Undone`,
  }[state]
}
