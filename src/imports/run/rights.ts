import type { Caller } from '../../identity/credentials/caller.ts'
import { isOffice } from '../../identity/permissions/areas.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import type { ImportedFile } from '../reading/imported_file.ts'
import { KINDS, REQUIRED_SCOPES, type ImportKind } from '../rows/kinds.ts'
import { refusals } from '../rows/refusals.ts'

/** Checks whether a caller may import records of a kind. Technicians may only import customers. */
export const mayImport = (caller: Caller, kind: ImportKind): boolean =>
  (isOffice(caller) || kind === 'customers') && REQUIRED_SCOPES[kind].every((scope) => caller.scopes.has(scope))

/** Returns the kinds of records a caller may import. */
export const importableKinds = (caller: Caller): ImportKind[] => KINDS.filter((kind) => mayImport(caller, kind))

/** Throws if a caller may not import records of a kind. */
export function requireImportable(caller: Caller, kind: ImportKind): void {
  if (!mayImport(caller, kind)) throw invalidField('file', refusals.forbiddenKind({ kind }))
}

/** Checks whether a caller may undo an import: an owner, or the person who ran it. */
export const mayUndoImport = ({ role, user }: Caller, { user_id }: Pick<ImportedFile, 'user_id'>): boolean =>
  role === 'owner' || (user !== null && user === user_id)
