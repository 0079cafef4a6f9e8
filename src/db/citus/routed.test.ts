import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sql, { Sql as SqlText, type Sql } from 'sql-template-tag'
import { fittedTo, routed } from './routed.ts'

const TENANT = '01a10000-0000-7000-8000-000000000001'

describe('a statement on a cluster', () => {
  it('names its tenant wherever two tables are joined by it', () => {
    const { text, values } = fittedTo(
      sql`select (select f.name from customers f where f.tenant_id = j.tenant_id and f.id = ${'a'}) from jobs j where j.tenant_id = ${TENANT}`,
      TENANT,
    )
    assert.equal(
      text,
      'select (select f.name from customers f where f.tenant_id = j.tenant_id and f.tenant_id = $1 and f.id = $2) from jobs j where j.tenant_id = $3',
    )
    assert.deepEqual(values, [TENANT, 'a', TENANT])
  })

  it('looks up what a write gives back when it is written', () => {
    const given = '(select u.name from users u where u.id = n.created_by) as author, n.id'
    const inserted = fittedTo(
      new SqlText([`insert into notes as n (id) values (`, `) returning ${given}`], ['x']),
      null,
    )
    assert.equal(
      inserted.text,
      `with written as (insert into notes as n (id) values ($1) returning n.*) select ${given} from written n`,
    )
    const updated = fittedTo(sql`update tags set name = ${'x'} returning id, (select 1) as one`, null)
    assert.equal(
      updated.text,
      'with written as (update tags set name = $1 returning tags.*) select id, (select 1) as one from written tags',
    )
    const deleted = fittedTo(sql`delete from tags where id = ${'x'} returning made_at > moment() as "isFresh"`, null)
    assert.equal(
      deleted.text,
      'with written as (delete from tags where id = $1 returning tags.*) select made_at > moment() as "isFresh" from written tags',
    )
  })

  it('gives back something of what it inserts from a query', () => {
    const [id] = fittedTo(sql`insert into tags (id) select unnest(${['x']}::uuid[])`, null).text.split('returning')
    assert.equal(id, 'insert into tags (id) select unnest($1::uuid[]) ')
    const after = sql`with gone as (delete from tags returning id) insert into audit (id) select id from gone`
    assert.equal(fittedTo(after, null).text, `${after.text} returning true as written`)
    for (const asIs of [
      sql`insert into tags (id) select id from notes returning id`,
      sql`with made as (insert into tags (id) select id from notes returning id) select id from made`,
    ])
      assert.equal(fittedTo(asIs, null), asIs)
    const settled = fittedTo(sql`insert into tags (id) select id from tags on conflict do nothing`, null)
    assert.match(settled.text, /on conflict do nothing returning true as written$/)
  })

  it('adds a length to a time of a row by a function', () => {
    const { text } = fittedTo(
      sql`update jobs j set a = m.start + (j.b - j.c), d = m.start + make_interval(mins => t.e) from m, t`,
      null,
    )
    assert.equal(
      text,
      'update jobs j set a = later_by(m.start, (j.b - j.c)), d = later_by(m.start, make_interval(mins => t.e)) from m, t',
    )
    const typed = sql`update jobs set due_at = '2027-03-02'::timestamptz - interval '1 hour'`
    assert.equal(fittedTo(typed, null), typed)
    const earlier = sql`update jobs set due_at = due_at - interval '1 hour' where made_at < now() - interval '1 day'`
    assert.equal(
      fittedTo(earlier, null).text,
      "update jobs set due_at = later_by(due_at, - interval '1 hour') where made_at < now() - interval '1 day'",
    )
  })

  it('asks for the time of a change by a value of its own', () => {
    const update = fittedTo(
      sql`update jobs set name = ${'a'}, done_at = coalesce(done_at, moment()) where id = ${'b'}`,
      TENANT,
    )
    assert.equal(
      update.text,
      'update jobs set name = $1, done_at = coalesce(done_at, moment_of($2::uuid)) where id = $3',
    )
    assert.deepEqual(update.values, ['a', TENANT, 'b'])
    const insert = fittedTo(
      sql`insert into grants (at) values (moment()) on conflict (id) do update set at = moment()`,
      null,
    )
    assert.equal(
      insert.text,
      'insert into grants (at) values (moment()) on conflict (id) do update set at = moment_of($1::uuid)',
    )
    assert.deepEqual(insert.values, [null])
  })

  it('claims a lease without a lock over several machines', () => {
    const { text } = fittedTo(
      sql`with r as (select chore from chore_leases limit 1 for update skip locked) select 1`,
      null,
    )
    assert.equal(text, 'with r as (select chore from chore_leases limit 1) select 1')
  })

  it('asks for a column where none is needed', () => {
    const { text } = fittedTo(sql`select 1 from a where not exists (select from b) and exists (select from c)`, null)
    assert.equal(text, 'select 1 from a where not exists (select 1 from b) and exists (select 1 from c)')
  })

  it('stays the very same when nothing needs to differ', () => {
    for (const one of [
      sql`select id from jobs where tenant_id = ${TENANT}`,
      sql`insert into tags (id) values (${'x'}) returning id`,
      sql`select id from letters limit 1 for update skip locked`,
    ])
      assert.equal(fittedTo(one, TENANT), one)
    const joined = sql`select 1 from a join b on b.tenant_id = a.tenant_id`
    assert.equal(fittedTo(joined, null), joined)
  })
})

describe('the statements of a connection', () => {
  it('are those of the tenant that was entered, until it is left', async () => {
    const sent: Sql[] = []
    const send = routed((statements) => {
      sent.push(...statements)
      return Promise.resolve(statements.map(() => ({ rows: [], count: 0 })))
    })
    const joined = sql`select 1 from a join b on b.tenant_id = a.tenant_id`
    await send([sql`begin`, sql`select enter_to_write(${TENANT}, ${null}, ${0})`, joined])
    await send([joined])
    await send([sql`select leave_tenant()`, joined])
    assert.deepEqual(
      sent.filter(({ text }) => text.includes(' join ')).map(({ values }) => values),
      [[TENANT], [TENANT], []],
    )
    sent.length = 0
    await send([sql`select enter_tenant(${TENANT}, ${null}, ${0})`, joined, sql`commit`, joined])
    assert.deepEqual(sent[1]!.values, [TENANT])
    assert.deepEqual(sent[3]!.values, [])
  })
})
