import { sql, type Db } from '../db/tenant.ts'

/** Describes a company's logo; sizes are in pixels. */
export type Logo = {
  id: string
  content_type: 'image/png' | 'image/jpeg'
  width: number
  height: number
  bytes: Buffer
}

const columns = sql`id, content_type, width, height, bytes`

/** Returns the company's logo with its bytes, for its documents; undefined where it has none. */
export const logoOf = (db: Db): Promise<Logo | undefined> =>
  db.maybe<Logo>(sql`select ${columns} from logos where tenant_id = ${db.tenant}`)
