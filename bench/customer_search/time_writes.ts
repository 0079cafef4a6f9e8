import type pg from 'pg'

const ROUNDS = 3
const WRITES_PER_ROUND = 100

/** Milliseconds per kind of write, from the fastest tenth: a busy machine slows most of the others. */
export type WriteTimes = Record<string, { with: number; without: number }>

const INDEX = 'contacts_email_grams'

/** Writes customers and contacts with the index on parts of emails and without it, in turns. */
export async function timeWrites(client: pg.Client, tenant: string): Promise<WriteTimes> {
  const { rows } = await client.query<{ made: string }>(`select pg_get_indexdef('${INDEX}'::regclass) as made`)
  const took: Record<string, Record<'with' | 'without', number[]>> = {}
  await client.query(`select set_config('app.tenant_id', $1, false)`, [tenant])
  for (let round = 0; round < ROUNDS; round++) {
    for (const variant of ['with', 'without'] as const) {
      if (variant === 'without') await client.query(`drop index ${INDEX}`)
      for (let n = 0; n < WRITES_PER_ROUND; n++) {
        for (const [name, statement] of Object.entries(WRITES)) {
          const begun = performance.now()
          await client.query(statement.replaceAll('$n', String(round * 10_000 + n)).replaceAll('$tenant', tenant))
          ;(took[name] ??= { with: [], without: [] })[variant].push(performance.now() - begun)
        }
      }
      if (variant === 'without') await client.query(rows[0]!.made)
    }
  }
  return Object.fromEntries(
    Object.entries(took).map(([name, times]) => [name, { with: fastest(times.with), without: fastest(times.without) }]),
  )
}

const fastest = (all: number[]): number => all.sort((a, b) => a - b)[Math.floor(all.length / 10)]!

const NEWEST_CUSTOMER = `(select id from customers where tenant_id = '$tenant' and archived_at is null order by created_at desc, id desc limit 1)`

/** Writes of a request, in one transaction each. */
const WRITES: Readonly<Record<string, string>> = {
  'a new customer with its contact': `
    insert into customers (tenant_id, id, customer_type, first_name, last_name, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields)
      values ('$tenant', uuidv7(), 'individual', 'Mara', 'Torrick $n', 'Mara Torrick $n', 'mara torrick $n', 'mara torrick $n', 'active', false, false, '{}');
    insert into contacts (tenant_id, id, customer_id, first_name, last_name, name_folded, email, phone, is_primary, sms_opt_out, email_opt_out)
      values ('$tenant', uuidv7(), ${NEWEST_CUSTOMER}, 'Mara', 'Torrick $n', 'mara torrick $n', 'mara.torrick' || (random() * 1e6)::int || '@example.com',
        '+1' || 2000000000 + (random() * 1e9)::bigint, true, false, false)`,
  'a changed name': `update customers set display_name = 'Mara Tor $n', sort_name = 'mara tor $n', name_words = 'mara tor $n', updated_at = now()
    where tenant_id = '$tenant' and id = ${NEWEST_CUSTOMER}`,
  'another field': `update customers set lead_source = 'radio', updated_at = now() where tenant_id = '$tenant' and id = ${NEWEST_CUSTOMER}`,
  "a contact's other field": `update contacts set role_label = 'owner', updated_at = now() where tenant_id = '$tenant' and archived_at is null and customer_id = ${NEWEST_CUSTOMER}`,
  "a contact's changed email": `update contacts set email = 'new' || (random() * 1e6)::int || '@example.com', updated_at = now()
    where tenant_id = '$tenant' and archived_at is null and customer_id = ${NEWEST_CUSTOMER}`,
}
