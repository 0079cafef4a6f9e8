import type { Caller } from '../../identity/credentials/caller.ts'
import { isOffice } from '../../identity/permissions/areas.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import type { ImportedFile } from '../reading/imported_file.ts'
import { KINDS, REQUIRED_SCOPES, type ImportKind } from '../rows/kinds.ts'
import { refusals } from '../rows/refusals.ts'

/** Checks whether somebody may import records of a kind; a technician imports customers alone. */
export const mayImport = (caller: Caller, kind: ImportKind): boolean =>
  (isOffice(caller) || kind === 'customers') && REQUIRED_SCOPES[kind].every((scope) => caller.scopes.has(scope))

/** Returns the kinds of records that somebody may import. */
export const importableKinds = (caller: Caller): ImportKind[] => KINDS.filter((kind) => mayImport(caller, kind))

/** Refuses a file with records of a kind that somebody may not import. */
export function requireImportable(caller: Caller, kind: ImportKind): void {
  if (!mayImport(caller, kind)) throw invalidField('file', refusals.forbiddenKind({ kind }))
}

/** Checks whether somebody may undo an import: an owner, or whoever made it. */
export const mayUndoImport = ({ role, user }: Caller, { user_id }: Pick<ImportedFile, 'user_id'>): boolean =>
  role === 'owner' || (user !== null && user === user_id)
