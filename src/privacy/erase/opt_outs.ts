import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { hashAddress } from '../../messaging/opt_out/suppression.ts'
import type { ErasureSubject } from './subject.ts'

/**
 * Keeps a customer's opt-outs after the erasure. An address that opted out or complained is kept as a digest, so that
 * nothing is sent to it if somebody enters it again.
 */
export async function keepOptOuts(db: Db, { addresses, contacts }: ErasureSubject): Promise<void> {
  const stopped = await db.all<{ channel: string; address: string; reason: string; at: string }>(sql`
    select channel, address, case reason when 'unclear' then 'stopped' else reason end as reason, at from suppressions
    where tenant_id = ${db.tenant} and address = any(${addresses}::text[]) and reason <> 'bounced'
    union all ${selectOptOuts(db.tenant, contacts, addresses)}`)
  for (const { channel, address, reason, at } of stopped)
    await db.run(sql`insert into suppressions (tenant_id, channel, address, reason, at)
      values (${db.tenant}, ${channel}, ${hashAddress(db.tenant, address)}, ${reason}, ${at}) on conflict do nothing`)
}

const selectOptOuts = (tenant: string, contacts: readonly string[], addresses: readonly string[]): Sql => sql`
  select 'sms', phone, 'stopped', coalesce(sms_stopped_at, updated_at) from contacts
  where tenant_id = ${tenant} and id = any(${[...contacts]}::uuid[]) and phone = any(${[...addresses]}::text[])
    and (sms_opt_out or sms_stopped_at is not null)
  union all
  select 'email', email, 'stopped', updated_at from contacts
  where tenant_id = ${tenant} and id = any(${[...contacts]}::uuid[]) and email = any(${[...addresses]}::text[])
    and email_opt_out`
