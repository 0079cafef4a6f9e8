import { sql, type Db } from '../../platform/db/tenant.ts'

/** Returns the first live contact with this email address or phone number that has opted out of the channel. */
export const findOptOut = (
  db: Db,
  channel: 'email' | 'sms',
  address: string,
): Promise<{ id: string; how: 'asked' | 'answered' } | undefined> =>
  channel === 'email'
    ? db.maybe(sql`select id, 'asked' as how from contacts
        where tenant_id = ${db.tenant} and email = ${address} and archived_at is null and email_opt_out limit 1`)
    : db.maybe(sql`select id, case when sms_stopped_at is null then 'asked' else 'answered' end as how from contacts
        where tenant_id = ${db.tenant} and phone = ${address} and archived_at is null
          and (sms_opt_out or sms_stopped_at is not null)
        order by sms_stopped_at nulls last limit 1`)
