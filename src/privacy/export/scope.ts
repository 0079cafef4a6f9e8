import type { Sql } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/tenant.ts'
import type { ErasureSubject } from '../erase/subject.ts'
import type { Collection } from './collection.ts'
import { COLLECTIONS } from './collections.ts'
import { ROWS_OF_CUSTOMER } from './of_customer.ts'
import { COLLECTIONS_OF_MEMBER } from './of_member.ts'

export type ArchiveScope =
  | { of: 'company' }
  | { of: 'customer'; subject: ErasureSubject }
  | { of: 'member'; user: string }

/** Returns the files of an archive, each with the condition for its rows. */
export function archiveFiles(scope: ArchiveScope): { collection: Collection; rows: Sql }[] {
  switch (scope.of) {
    case 'company':
      return COLLECTIONS.map((collection) => ({ collection, rows: sql`true` }))
    case 'customer':
      return COLLECTIONS.flatMap((collection) => {
        const rows = ROWS_OF_CUSTOMER[collection.file]
        return rows === undefined ? [] : [{ collection, rows: rows(scope.subject) }]
      })
    case 'member':
      return COLLECTIONS_OF_MEMBER.map(({ rows = (user) => sql`user_id = ${user}`, ...collection }) => ({
        collection,
        rows: rows(scope.user),
      }))
  }
}
