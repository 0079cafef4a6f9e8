import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Caller } from '../../identity/credentials/caller.ts'
import { scopesUnder, DEFAULT_CEILINGS, type Role } from '../../identity/permissions/areas.ts'
import type { ImportedFile } from '../reading/imported_file.ts'
import { KINDS } from '../rows/kinds.ts'
import { requireRights, requireUndoRight } from './import_run.ts'
import { importableKinds, mayUndoImport } from './rights.ts'

/** Returns a member who may edit everything, with any role. */
const member = (role: Role, user = 'one'): Caller => ({
  tenant: { id: 'company', timezone: 'UTC', currency: 'USD', country: 'US' },
  credential: { id: 'session', version: 1, expiresAt: Infinity },
  user,
  role,
  scopes: scopesUnder(DEFAULT_CEILINGS.owner),
  approval: null,
})

describe('import rights', () => {
  it('let technicians import customers only', () => {
    assert.deepEqual(importableKinds(member('owner')), KINDS)
    assert.deepEqual(importableKinds(member('office')), KINDS)
    assert.deepEqual(importableKinds(member('tech')), ['customers'])
  })

  it('throw when the member has become a technician or lost a scope', () => {
    assert.doesNotThrow(() => requireRights(member('office'), 'jobs'))
    assert.throws(() => requireRights(member('tech'), 'jobs'))
    assert.throws(() => requireRights({ ...member('office'), scopes: new Set() }, 'customers'))
  })

  it('let owners and the importing member undo an import', () => {
    const file = { user_id: 'one' } as ImportedFile
    assert.equal(mayUndoImport(member('owner', 'two'), file), true)
    assert.equal(mayUndoImport(member('office', 'one'), file), true)
    assert.equal(mayUndoImport(member('office', 'two'), file), false)
    assert.throws(() => requireUndoRight(member('office', 'two'), file))
  })
})
