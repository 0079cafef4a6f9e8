import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { ClientConfig } from 'pg'
import { clusterFindings } from '../../../src/cli/doctor/doctor_cluster.ts'
import { findMigrations, migrate, type Migration } from '../../../src/platform/db/migrations/migrate.ts'
import { withClient } from '../../../src/platform/db/transaction.ts'
import { CLUSTER, makeEmptyCluster } from '../../harness/database/cluster.ts'
import { makeCompany, startTestService, type TestService } from '../../harness/harness.ts'
import { openWitness, type Witness } from '../../harness/clients/witness.ts'

/** Number below that of every table with a key to a company's identity provider, and of a third of all tables. */
const BEFORE = '200'

const step = (name: string, text: string): Migration => ({
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
})

/** Adds and fills a table with foreign keys from and to it, a function and triggers. */
const VISITS = step(
  '998_visits',
  `-- What a visit was worth; the tables lie spread meanwhile.
  create table visits (
    tenant_id uuid not null references tenants on delete cascade,
    id uuid not null default gen_random_uuid(),
    customer_id uuid not null,
    worth integer not null default 0 check (worth >= 0),
    primary key (tenant_id, id),
    foreign key (tenant_id, customer_id) references customers
  );
  comment on constraint visits_tenant_id_customer_id_fkey on visits is 'customer_id is no customer';
  select wall('visits');
  create table visit_names (name text primary key);
  alter table jobs add column visit_id uuid, add column visits integer not null default 0 check (visits >= 0);
  alter table jobs add constraint jobs_visit foreign key (tenant_id, visit_id) references visits;
  create function count_visit() returns trigger language plpgsql as $$
  begin
    update visits set worth = worth + 1 where tenant_id = new.tenant_id and customer_id = new.id;
    return new;
  end $$;
  create trigger visit_counted after update on customers for each row execute function count_visit();
  insert into visits (tenant_id, customer_id) select tenant_id, id from customers;`,
)

const SCHEMA = `
  select 'key' as kind, conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as says
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
  union all select 'table', logicalrelid || ' ' || partmethod::text || ' ' || repmodel::text from pg_dist_partition
  union all select 'function', proname || ' ' || md5(prosrc) || ' ' || provolatile::text || ' ' || prolang::text
    from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all select 'trigger', tgrelid::regclass || ' ' || tgname || ' ' || tgfoid::regproc
    from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal and relnamespace = 'public'::regnamespace
  order by 1, 2`

describe(
  'an upgrade of a distributed schema',
  { skip: CLUSTER === undefined && 'CITUS_URL names no cluster (docs/operating/citus.md)' },
  () => {
    let service: TestService
    let witness: Witness
    let all: readonly Migration[]
    before(async () => {
      all = await findMigrations()
      service = await startTestService()
      witness = await openWitness(service)
    })
    after(async () => {
      await witness.close()
      await service.stop()
    })

    it('gives the same schema as a new distributed installation', async () => {
      const earlier = await makeEmptyCluster(CLUSTER!, `test_${randomBytes(6).toString('hex')}`)
      try {
        const first = all.filter(({ name }) => name < BEFORE)
        await migrate(earlier.owner, { distributes: true, migrations: first })
        assert.equal((await migrate(earlier.owner)).length, all.length - first.length)
        assert.deepEqual(await schemaOf(earlier.owner), await witness.rows(SCHEMA))
        await isPlaced(earlier.owner)
      } finally {
        await earlier.drop()
      }
    })

    it('adds and fills a table with keys to distributed ones, a function and a trigger', async () => {
      const { call } = await makeCompany(service)
      const customer = await call('customers_create', { customer_type: 'individual', first_name: 'Ada' })
      assert.deepEqual(await migrate(service.owner, { migrations: [...all, VISITS] }), [VISITS.name])
      await isPlaced(service.owner)
      await call('customers_update', { id: customer['id'], last_name: 'Lane' })
      assert.deepEqual(await witness.rows('select customer_id, worth from visits'), [
        { customer_id: customer['id'], worth: 1 },
      ])
      await assert.rejects(witness.rows('insert into visits (tenant_id, customer_id) select id, id from tenants'), {
        message: /violates foreign key constraint "visits_tenant_id_customer_id_fkey/,
      })
    })

    it("fails in one line for a statement that Citus doesn't support, and changes nothing", async () => {
      const before = await schemaOf(service.owner)
      const lonely = step(
        '999_lonely',
        'alter table jobs add column lone uuid; create unique index lonely on jobs (lone)',
      )
      await assert.rejects(migrate(service.owner, { migrations: [...all, VISITS, lonely] }), (error: Error) => {
        assert.match(
          error.message,
          /^Migration 999_lonely failed: a Citus cluster can't apply it, and nothing was changed: .*; to fix it: .*$/,
        )
        return true
      })
      assert.deepEqual(await schemaOf(service.owner), before)
      await isPlaced(service.owner)
    })
  },
)

async function schemaOf(owner: ClientConfig): Promise<unknown[]> {
  const witness = await openWitness({ owner })
  return witness.rows(SCHEMA).finally(() => witness.close())
}

async function isPlaced(owner: ClientConfig): Promise<void> {
  const found = await withClient(owner, clusterFindings)
  assert.match(
    found.map(({ says }) => says).join(),
    /^\d+ tables distributed by company across 2 machines, \d+ copied to each$/,
  )
}
