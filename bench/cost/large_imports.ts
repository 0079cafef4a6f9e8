import { sql, readTenant } from '../../src/platform/db/tenant.ts'
import { MAX_ROWS } from '../../src/imports/reading/limits.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { Office } from './office.ts'
import { EMPTY, formSent, type Target } from './requests.ts'

const BOUNDARY = 'abcabcabcabc'

/** File whose rows are all refused: as many and as long as a file may have. */
const REFUSED_ROWS = `Name,Email,Notes\n${Array.from(
  { length: MAX_ROWS - 1 },
  (_, i) => `Customer ${i},no address ${i},"${'Rings twice, '.repeat(70)}"`,
).join('\n')}`

/** File whose rows are all valid: each is checked and then imported. */
const VALID_ROWS = `Name,Email,Phone\n${Array.from(
  { length: 100 },
  (_, i) => `Ana Ruiz${i},ana${i}@example.com,+1617555${1_000 + i}`,
).join('\n')}`

/** Returns the steps of an import of the largest file, and of a file that is imported, in their order. */
export async function largeImportTargets(office: Office): Promise<Target[]> {
  const here = `/${office.tenant}/settings/import`
  return [
    ...(await steps(office, here, 'a file of refused rows', REFUSED_ROWS)),
    ...(await steps(office, here, 'a file of valid rows', VALID_ROWS)),
  ]
}

type Latest = { id: string; state: string }

async function steps(office: Office, here: string, name: string, content: string): Promise<Target[]> {
  const latest = (): Promise<Latest | undefined> =>
    readTenant(office.service.database, { tenant: office.tenant }, (db) =>
      db.maybe<Latest>(
        sql`select id, state from imports where tenant_id = ${db.tenant} and total = ${content.split('\n').length - 1} order by created_at desc, id desc limit 1`,
      ),
    )
  // Until the file is sent, the id of an import that doesn't exist.
  let id: string = newId()
  const waitForWork = async (): Promise<void> => {
    for (;;) {
      const now = await latest()
      id = now?.id ?? id
      if (now === undefined || !/checking|running|taking/.test(now.state)) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const headers = (): Record<string, string> => ({ 'sec-fetch-site': 'same-origin', cookie: office.cookie() })
  const own = { maxBytes: 0, fields: [], isLarge: true, waitForWork }
  const form = (step: string, fields: () => [string, string][], isBackground: boolean): Target => ({
    ...own,
    name: `${step || 'start'} of ${name}, large`,
    isBackground,
    request: () =>
      formSent(`${here}/${id}${step}`, Buffer.from(new URLSearchParams(fields()).toString()), office.cookie()),
  })
  const page = (step: string): Target => ({
    ...own,
    name: `GET ${step || 'page'} of ${name}, large`,
    request: () => ({ path: `${here}/${id}${step}`, headers: headers(), body: EMPTY }),
  })
  const body = Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="kind"\r\n\r\ncustomers\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`,
  )
  return [
    {
      ...own,
      name: `upload of ${name}, large`,
      isBackground: true,
      request: () => ({
        path: here,
        headers: { ...headers(), 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
        body,
      }),
    },
    page('/columns'),
    form(
      '/columns',
      () => [
        ['column_0', 'name'],
        ['column_1', 'email'],
        ['column_2', content === VALID_ROWS ? 'phone' : 'note'],
      ],
      true,
    ),
    page(''),
    page('/to-fix.csv'),
    form('', () => [['existing', 'skip']], true),
    page(''),
    form('/back', () => [], true),
  ]
}
