import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../../../../../test/harness/harness.ts'
import { toClusterFunction, adaptFunctions, type SqlFunction } from './functions.ts'

const TABLES = ['counters', 'customers']

const functionOf = (body: string, rest: Partial<SqlFunction> = {}): SqlFunction => {
  const language = rest.language ?? 'sql'
  return {
    name: 'one',
    language,
    definition: `CREATE OR REPLACE FUNCTION public.one(tenant uuid)\n RETURNS text\n LANGUAGE ${language}\nAS $function$${body}$function$\n`,
    body,
    returns: 'text',
    isSet: false,
    outs: [],
    ...rest,
  }
}

describe('a SQL function that reads a table', () => {
  it('becomes PL/pgSQL with a body that fits its return type', () => {
    const value = toClusterFunction(functionOf('select name from customers where tenant_id = tenant'), TABLES)
    assert.match(value, /LANGUAGE plpgsql/)
    assert.match(value, /return \(select name from customers where tenant_id = tenant\);/)
    assert.match(
      toClusterFunction(functionOf('select id from customers', { isSet: true }), TABLES),
      /return query select id from/,
    )
    assert.match(
      toClusterFunction(functionOf('delete from customers', { returns: 'void' }), TABLES),
      /begin\s+delete from customers;/,
    )
    assert.match(
      toClusterFunction(
        functionOf('insert into counters as c values (1) returning c.value', { returns: 'bigint' }),
        TABLES,
      ),
      /answer bigint;\s+begin\s+insert into counters as c values \(1\) returning c\.value into answer; return answer;/,
    )
    assert.match(
      toClusterFunction(functionOf('select a, b from customers', { outs: ['x', 'y'] }), TABLES),
      /select \* into x, y from \(select a, b from customers\) answered;/,
    )
  })

  it('compares the tenant with a value, so one node is queried', () => {
    const text = toClusterFunction(
      functionOf(`select name from customers c where c.tenant_id::text = current_setting('app.tenant_id', true)`),
      TABLES,
    )
    assert.match(text, /where c\.tenant_id = here_only/)
    const other = functionOf(
      `delete from customers where tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid`,
      { returns: 'void' },
    )
    assert.match(toClusterFunction(other, TABLES), /where tenant_id = here_only/)
    assert.match(text, /here_only uuid := entered\(\);/)
  })

  it('is unchanged when it reads no table', () => {
    const plain = functionOf('select upper(tenant::text)')
    assert.equal(toClusterFunction(plain, TABLES), plain.definition)
    const parsed = functionOf('', { body: null })
    assert.equal(toClusterFunction(parsed, TABLES), parsed.definition)
  })
})

describe('a PL/pgSQL function on a cluster', () => {
  const language = 'plpgsql'

  it('sets settings with "set local" so other nodes get them', () => {
    const text = toClusterFunction(
      functionOf(`\nbegin\n  perform set_config('app.tenant_id', tenant::text, true);\nend `, { language }),
      TABLES,
    )
    assert.match(text, /execute format\('set local app\.tenant_id = %L', tenant::text\);/)
    assert.doesNotMatch(text, /set_config/)
  })

  it('removes the shard number from the table name of a trigger', () => {
    const text = toClusterFunction(
      functionOf(`begin insert into removals values (tg_table_name); end `, { language }),
      TABLES,
    )
    assert.ok(text.includes(`values (regexp_replace(tg_table_name, '_[0-9]+$', ''))`))
  })

  it('passes a row as the type of its table', () => {
    const text = toClusterFunction(
      functionOf('begin perform words_of(new) from customers k where words_of(k) = word_of(k); end ', {
        language,
        returns: 'trigger',
      }),
      TABLES,
      new Map([['words_of', 'customers']]),
    )
    assert.match(text, /words_of\(jsonb_populate_record\(null::customers, to_jsonb\(new\)\)\)/)
    assert.match(text, / words_of\(jsonb_populate_record\(null::customers, to_jsonb\(k\)\)\) = word_of\(k\);/)
    const query = toClusterFunction(
      functionOf('select words_of(k) from customers k'),
      TABLES,
      new Map([['words_of', 'customers']]),
    )
    assert.match(query, /select words_of\(jsonb_populate_record\(null::customers, to_jsonb\(k\)\)\) from customers k/)
  })

  it('rewrites a simple case of a row value as conditions', () => {
    const text = toClusterFunction(
      functionOf(
        `begin x := case new.status when 'sent' then 'a' else case tg_op when 'DELETE' then 'b' end end; end `,
        { language },
      ),
      TABLES,
    )
    assert.ok(text.includes(`case when new.status = 'sent' then 'a' else case when tg_op = 'DELETE' then 'b' end end`))
  })

  it('calls this_change() before the change reaches other nodes', () => {
    const text = toClusterFunction(functionOf('\nbegin\n  null;\nend ', { language, name: 'enter_to_write' }), TABLES)
    assert.match(text, /null;\n {2}perform this_change\(\);\nend /)
  })

  it('is unchanged when converted twice', () => {
    const body = `\nbegin\n  perform set_config('app.x', tg_table_name, true);\nend `
    const of = { language, name: 'enter_to_write' } as const
    const once = toClusterFunction(functionOf(body, of), TABLES)
    const inside = once.slice(once.indexOf('$function$') + 10, once.lastIndexOf('$function$'))
    assert.equal(toClusterFunction(functionOf(inside, of), TABLES), once)
  })
})

describe('the functions of the schema', () => {
  let test: TestDatabase
  let owner: pg.Client
  before(async () => {
    test = await makeDatabase()
    owner = new pg.Client(test.owner)
    await owner.connect()
  })
  after(async () => {
    await owner.end()
    await test.drop()
  })

  it('are accepted by PostgreSQL after conversion, and a second conversion changes nothing', async () => {
    await owner.query('begin')
    await adaptFunctions(owner)
    const bodies = `select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1, 2`
    const once = (await owner.query(bodies)).rows
    await adaptFunctions(owner)
    assert.deepEqual((await owner.query(bodies)).rows, once)
    const { rows } = await owner.query<{ name: string }>(`
      select p.proname as name from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and l.lanname = 'sql' and p.prosqlbody is null and p.prosrc ~ '\\mcustomers\\M'`)
    assert.deepEqual(rows, [])
    await owner.query('rollback')
  })
})
