import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findMigrations } from '../migrations/migrate.ts'
import { alterationsOf, withoutComments, statementsIn } from './statements.ts'

describe('the statements of a migration', () => {
  it('end at a semicolon outside of comments, strings and bodies', () => {
    assert.deepEqual(
      statementsIn(`-- one; not two
        create table a (b text default ';', c text); /* ; */
        create function d() returns void language plpgsql as $$ begin e; end $$;
        comment on table a is 'it''s; a';`).map(withoutComments),
      [
        "create table a (b text default ';', c text)",
        'create function d() returns void language plpgsql as $$ begin e; end $$',
        "comment on table a is 'it''s; a'",
      ],
    )
  })

  it('together are the whole text of every migration', async () => {
    for (const { name, text } of await findMigrations()) {
      const statements = statementsIn(text).map(withoutComments)
      assert.equal(
        statements.join(';').replaceAll(/[\s;]+/g, ''),
        withoutComments(text).replaceAll(/[\s;]+/g, ''),
        name,
      )
      for (const statement of statements)
        assert.match(
          statement,
          /^(?:create|alter|drop|select|insert|update|delete|comment|grant|revoke|do|with|set) /,
          name,
        )
    }
  })

  it('alter one column at a time, with named constraints', () => {
    assert.deepEqual(
      alterationsOf(`alter table outbox
        -- how many
        add column segments integer not null default 1 check (segments between 1 and 50), add column said text,
        add column bound_to uuid references company_providers on delete cascade,
        drop constraint outbox_check, add constraint outbox_check check (said in ('a, b', 'c'))`),
      [
        'alter table outbox add column segments integer not null default 1',
        'alter table outbox add constraint outbox_segments_check check (segments between 1 and 50)',
        'alter table outbox add column said text',
        'alter table outbox add column bound_to uuid',
        'alter table outbox add constraint outbox_bound_to_fkey foreign key (bound_to) references company_providers on delete cascade',
        'alter table outbox drop constraint outbox_check',
        "alter table outbox add constraint outbox_check check (said in ('a, b', 'c'))",
      ],
    )
    assert.deepEqual(alterationsOf('alter index a rename to b'), ['alter index a rename to b'])
  })
})
