import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES, type Scope } from '../../src/identity/permissions/scopes.ts'
import { connectClient, type McpClient } from '../../src/exam/models/mcp_client.ts'
import { openEnvironment, type ExamEnvironment } from '../../src/exam/environment/environment.ts'
import { templateOf } from '../harness/harness.ts'
import { startTestServer } from '../harness/server.ts'

/** Limits of one question: calls, and tokens (o200k) of their arguments and answers. */
const MAX_CALLS = 2
const MAX_TOKENS = 1_500

type Row = Record<string, unknown>
type Answer = { rows: Row[]; groups?: Row[]; sums?: Row; hasMore: boolean }
type Call = readonly [tool: string, args: object]

let environment: ExamEnvironment
let stop: () => Promise<void>
let client: McpClient
before(async () => {
  const server = await startTestServer()
  stop = () => server.stop()
  environment = await openEnvironment({ server: server.connection, template: await templateOf(server.connection) })
  await environment.reset()
  client = await connectAs(SCOPES)
})
after(async () => {
  await environment.close()
  await stop()
})

const select = async (text: string): Promise<Row[]> =>
  (await environment.owner.query<Row>(text, text.includes('$1') ? [environment.tenant] : [])).rows

async function connectAs(scopes: readonly Scope[]): Promise<McpClient> {
  const [dana] = await select(`select u.id from members m join users u on u.id = m.user_id
    where m.tenant_id = $1 and u.name = 'Dana Whitfield'`)
  const { key } = await createKey(
    environment.database,
    { tenant: environment.tenant },
    { user: String(dana?.['id']), name: 'Questions', scopes: [...scopes], expires_at: null },
  )
  return connectClient(environment.url, key)
}

/** Answers a question with these calls, within the limits. */
async function ask(...calls: readonly Call[]): Promise<Answer[]> {
  assert.ok(calls.length <= MAX_CALLS)
  let tokens = 0
  const answers: Answer[] = []
  for (const [tool, args] of calls) {
    const { text, isError } = await client.call(tool, { ...args })
    assert.ok(!isError, text)
    tokens += encode(JSON.stringify({ name: tool, arguments: args })).length + encode(text).length
    answers.push(JSON.parse(text.slice(0, text.lastIndexOf('}') + 1)) as Answer)
  }
  assert.ok(tokens <= MAX_TOKENS, `${tokens} tokens`)
  for (const { hasMore } of answers) assert.equal(hasMore, false)
  return answers
}

/** Returns the named columns of each row, in a comparable order. */
const pick = (rows: readonly Row[] | undefined, ...columns: readonly string[]): string[] =>
  (rows ?? []).map((row) => JSON.stringify(columns.map((column) => text(row[column])))).toSorted()
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

const JOBS = `select j.display_number, j.status, c.display_name as customer_name, j.subtotal_cents,
    to_char(j.scheduled_start at time zone 'America/Chicago', 'YYYY-MM-DD HH24:MI-') ||
      to_char(j.scheduled_end at time zone 'America/Chicago', 'HH24:MI') as when, j.instructions, l.access_notes,
    j.line_items, j.location_id, j.completed_at
  from jobs j join customers c on c.id = j.customer_id left join locations l on l.id = j.location_id
  where j.tenant_id = $1`

describe("a dispatcher's questions, within two calls and 1,500 tokens", () => {
  it("list today's visits with crew, phone and access notes", async () => {
    const day = { scheduled_from: '2027-03-09', scheduled_to: '2027-03-09' }
    const [sheet] = await ask(['jobs_list', { ...day, include: ['access'], brief: true }])
    const rows = await select(`${JOBS} and (scheduled_start at time zone 'America/Chicago')::date = '2027-03-09'`)
    const columns = ['display_number', 'customer_name', 'when', 'instructions', 'access_notes']
    assert.deepEqual(pick(sheet?.rows, ...columns), pick(rows, ...columns))
    assert.ok(rows.length >= 5 && sheet?.rows.some((row) => row['access_notes'] !== undefined))
    assert.ok(sheet?.rows.every((row) => /^\+1\d{10}$/.test(text(row['phone']))))
    const crews = await select(`select j.display_number, string_agg(u.name, ', ' order by a.place) as crew
      from jobs j, unnest(j.assignee_ids) with ordinality a(id, place) join users u on u.id = a.id
      where j.tenant_id = $1 group by 1`)
    const crewOf = new Map(crews.map((row) => [row['display_number'], row['crew']]))
    for (const row of sheet?.rows ?? []) assert.equal(row['crew'], crewOf.get(row['display_number']))
  })

  it('list the unscheduled jobs', async () => {
    const [waiting] = await ask(['jobs_list', { status: ['unscheduled'], brief: true }])
    const rows = await select(`${JOBS} and j.status = 'unscheduled'`)
    assert.ok(rows.length > 0)
    assert.deepEqual(
      pick(waiting?.rows, 'display_number', 'customer_name'),
      pick(rows, 'display_number', 'customer_name'),
    )
  })

  it('list the past visits at a location with their line items', async () => {
    const [found] = await ask(['locations_list', { customer_id: 'Tobias Freeman' }])
    const last = { location_id: found?.rows[0]?.['id'], status: 'done', sort: 'scheduled_desc', include: 'lines' }
    const [visits] = await ask(['jobs_list', { ...last, brief: true }])
    const rows = await select(`${JOBS} and j.status = 'done' and j.location_id = '${text(found?.rows[0]?.['id'])}'
      order by scheduled_start desc`)
    assert.ok(rows.length >= 3)
    assert.deepEqual(
      visits?.rows.map((row) => [row['display_number'], row['when']]),
      rows.map((row) => [row['display_number'], row['when']]),
    )
    const lines = (row: Row): unknown =>
      (row['line_items'] as Row[]).map(({ name, quantity }) => [name, Number(quantity)])
    assert.deepEqual(visits?.rows.map(lines), rows.map(lines))
  })

  it('list what changed since this morning and who changed it', async () => {
    const since = '2027-03-09T07:00'
    const [changed] = await ask(['jobs_list', { updated_since: since, include: 'changes', brief: true }])
    // The demo company is created at 10:30. Changes made a moment ago aren't settled yet.
    const rows = await select(`${JOBS} and j.updated_at at time zone 'America/Chicago'
      between '${since}' and '2027-03-09T10:29'`)
    assert.ok(rows.length > 2)
    assert.deepEqual(pick(changed?.rows, 'display_number', 'status'), pick(rows, 'display_number', 'status'))
    const toilet = changed?.rows.find((row) => row['display_number'] === 'J-1069')
    assert.match(JSON.stringify(toilet?.['changes']), /"2027-03-09 09:00 Marcus Bell[^"]*status: scheduled → done/)
  })
})

const INVOICES = `select i.*, i.issue_date::text as issue_date, i.due_date::text as due_date,
    c.display_name as customer_name from invoices i join customers c on c.id = i.customer_id
  where i.tenant_id = $1`
const sum = (rows: readonly Row[], column: string): number =>
  rows.reduce((total, row) => total + Number(row[column] ?? 0), 0)

describe("an owner's questions", () => {
  it("total last month's sales by technician", async () => {
    const month = { issued_from: '2027-02-01', issued_to: '2027-02-28' }
    const [sales] = await ask(['invoices_list', { group_by: 'technician', ...month, brief: true }])
    const issued = await select(`${INVOICES} and issue_date between '2027-02-01' and '2027-02-28'
      and i.status not in ('draft', 'void')`)
    const crews = await select(`select b.invoice_id, array_agg(distinct u.name) as names
      from invoice_jobs b join job_assignees a on a.job_id = b.job_id join users u on u.id = a.user_id
      where b.tenant_id = $1 group by 1`)
    assert.equal(sales?.sums?.['total_cents'], sum(issued, 'total_cents'))
    assert.equal(sum(sales?.groups ?? [], 'total_cents'), sum(issued, 'total_cents'))
    const crewOf = new Map(crews.map((row) => [row['invoice_id'], row['names'] as string[]]))
    for (const { name, invoices } of sales?.groups ?? []) {
      const theirs = issued.filter(({ id }) => (crewOf.get(id) ?? ['nobody assigned']).includes(text(name)))
      assert.equal(invoices, theirs.length, text(name))
    }
  })

  it('find the best-selling service', async () => {
    const [sales] = await ask(['invoices_list', { group_by: 'service', issued_from: '2027-02-01', brief: true }])
    const lines = await select(`select l.line, i.tax_exempt, i.id, k.name from invoices i
        cross join jsonb_array_elements(i.line_items) l(line)
        left join catalog_items k on k.id = (l.line ->> 'catalog_item_id')::uuid
      where i.tenant_id = $1 and i.issue_date >= '2027-02-01' and i.status not in ('draft', 'void')
        and i.deposit_of is null and i.deducted_cents = 0`)
    const best = sales?.groups?.find(({ name }) => name !== 'not in the catalog')
    const sold = lines.filter(({ name }) => name === best?.['name']).map(({ line }) => line as Row)
    assert.ok(sold.length > 0)
    assert.equal(best?.['sales_cents'], sum(sold, 'line_total_cents') - sum(sold, 'discount_share_cents'))
  })

  it('total the invoices by month', async () => {
    const [months] = await ask(['invoices_list', { group_by: 'month' }])
    const issued = await select(`${INVOICES} and i.status not in ('draft', 'void')`)
    const monthOf = (row: Row): string => text(row['issue_date']).slice(0, 7)
    for (const { name, total_cents } of months?.groups ?? [])
      assert.equal(
        total_cents,
        sum(
          issued.filter((row) => monthOf(row) === name),
          'total_cents',
        ),
      )
    assert.equal(sum(months?.groups ?? [], 'invoices'), issued.length)
    const [beyond] = await ask(['invoices_list', { group_by: 'month', page: 90 }])
    assert.deepEqual([beyond?.groups, beyond?.['sums']], [[], months?.['sums']])
  })

  it('list the sent quotes with their totals', async () => {
    const [out] = await ask(['quotes_list', { status: 'sent', brief: true }])
    const rows = await select(`select display_number, total_cents from quotes where tenant_id = $1 and status = 'sent'`)
    assert.ok(rows.length > 0)
    assert.deepEqual(pick(out?.rows, 'display_number', 'total_cents'), pick(rows, 'display_number', 'total_cents'))
  })
})

describe("a bookkeeper's questions", () => {
  it('list completed, unbilled jobs with their subtotals', async () => {
    const [unbilled] = await ask(['jobs_list', { unbilled: true, brief: true }])
    const rows = await select(`${JOBS} and j.status = 'done' and j.completed_at > now() - interval '1 year'
      and j.id not in (select b.job_id from invoice_jobs b join invoices i on i.id = b.invoice_id where i.status <> 'void')
      and (j.quote_id is null or j.quote_id not in (select quote_id from invoices
        where quote_id is not null and status <> 'void' and deposit_of is null))`)
    assert.ok(rows.length > 3)
    assert.deepEqual(
      pick(unbilled?.rows, 'display_number', 'subtotal_cents'),
      pick(rows, 'display_number', 'subtotal_cents'),
    )
    assert.deepEqual(unbilled?.sums, { jobs: rows.length, subtotal_cents: sum(rows, 'subtotal_cents') })
  })

  it('total the open balances by customer with the oldest due date', async () => {
    const open = { group_by: 'customer', status: ['sent', 'partially_paid'], brief: true }
    const [owed] = await ask(['invoices_list', open])
    const invoices = await select(`${INVOICES} and i.status in ('sent', 'partially_paid')`)
    assert.equal(owed?.sums?.['balance_due_cents'], sum(invoices, 'balance_due_cents'))
    const amounts = (owed?.groups ?? []).map((group) => Number(group['balance_due_cents']))
    assert.deepEqual(
      amounts,
      amounts.toSorted((a, b) => b - a),
    )
    for (const { name, balance_due_cents, oldest_due_date } of owed?.groups ?? []) {
      const theirs = invoices.filter((row) => row['customer_name'] === name)
      assert.equal(balance_due_cents, sum(theirs, 'balance_due_cents'))
      assert.equal(oldest_due_date, theirs.map((row) => text(row['due_date'])).toSorted()[0])
    }
  })

  it('list the overdue invoices', async () => {
    const [overdue] = await ask(['invoices_list', { overdue: true, brief: true }])
    const rows = await select(`${INVOICES} and i.status in ('sent', 'partially_paid') and balance_due_cents > 0
      and due_date < '2027-03-09'`)
    assert.ok(rows.length > 0)
    const columns = ['display_number', 'customer_name', 'balance_due_cents']
    assert.deepEqual(pick(overdue?.rows, ...columns), pick(rows, ...columns))
  })
})

describe('a list tool', () => {
  const refusal = async (by: McpClient, tool: string, args: object): Promise<string> => {
    const { text, isError } = await by.call(tool, { ...args })
    assert.ok(isError, text)
    return text
  }

  it("rejects options that show another area's records without that area's read scope", async () => {
    const jobs = await connectAs(['read:jobs'])
    assert.match(await refusal(jobs, 'jobs_list', { unbilled: true }), /^insufficient_scope: .*needs read:invoices/)
    assert.match(await refusal(jobs, 'jobs_list', { include: 'access' }), /^insufficient_scope: .*needs read:customers/)
    assert.equal((await jobs.call('jobs_list', { include: ['lines', 'changes'] })).isError, false)
    const invoices = await connectAs(['read:invoices'])
    assert.match(
      await refusal(invoices, 'invoices_list', { group_by: 'technician' }),
      /^insufficient_scope: .*needs read:jobs/,
    )
    assert.equal((await invoices.call('invoices_list', { group_by: 'service' })).isError, false)
  })

  it('rejects group_by and unbilled combined with removed records, and unknown values', async () => {
    const since = { updated_since: '2027-03-01T00:00', include_removed: true }
    assert.match(await refusal(client, 'invoices_list', { group_by: 'month', ...since }), /^invalid_input: group_by/)
    assert.match(await refusal(client, 'jobs_list', { unbilled: true, ...since }), /^invalid_input: unbilled/)
    assert.match(await refusal(client, 'invoices_list', { group_by: 'color' }), /^invalid_input: group_by/)
    assert.match(await refusal(client, 'jobs_list', { include: 'everything' }), /^invalid_input: include/)
  })
})
