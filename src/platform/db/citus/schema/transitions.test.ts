import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rewriteRowByRow } from './transitions.ts'

const asOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

describe('a statement trigger converted to row by row', () => {
  it('inserts in a loop over the rows', () => {
    const text = rewriteRowByRow(`if tg_op = 'INSERT' then
      insert into journal (tenant_id, op) select r.tenant_id, 'insert' from come r;
    end if;`)
    assert.equal(
      asOneLine(text),
      `if tg_op = 'INSERT' then declare row_given record; begin for row_given in select * from (select r.tenant_id, 'insert' from come r) given (tenant_id, op) loop ` +
        'insert into journal (tenant_id, op) values (row_given.tenant_id, row_given.op); end loop; end; end if;',
    )
  })

  it('runs look-ups before the insert', () => {
    const text = rewriteRowByRow(
      'insert into removals (id, record) values (old.id, (select 1 from shown where key = any(tg_argv)));',
    )
    assert.equal(
      asOneLine(text),
      'declare row_given record; begin for row_given in select * from (select old.id, (select 1 from shown where key = any(tg_argv))) ' +
        'given (id, record) loop insert into removals (id, record) values (row_given.id, row_given.record); end loop; end;',
    )
  })

  it('runs look-ups before a conditional update', () => {
    const text = rewriteRowByRow(
      `update search_entries e set words = coalesce(case when e.kind = 'a' then (select k.w from contacts k where k.tenant_id = e.tenant_id and k.id = e.id) end, '')
      where e.tenant_id = new.tenant_id and e.kind <> 'b';`,
    )
    assert.equal(
      asOneLine(text),
      'declare row_given record; begin for row_given in select e.tenant_id, e.kind, e.id, ' +
        "coalesce(case when e.kind = 'a' then (select k.w from contacts k where k.tenant_id = e.tenant_id and k.tenant_id = new.tenant_id and k.id = e.id) end, '') as weighed " +
        "from search_entries e where e.tenant_id = new.tenant_id and e.kind <> 'b' for update loop update search_entries e " +
        'set words = row_given.weighed where e.tenant_id = row_given.tenant_id and e.kind = row_given.kind and e.id = row_given.id; end loop; end;',
    )
  })

  it('updates in a loop over the rows', () => {
    const text = rewriteRowByRow(`
      update invoices i set paid = i.paid + c.amount
      from (select invoice_id, sum(cents) as amount from counted group by 1) c
      where i.id = c.invoice_id;`)
    assert.equal(
      asOneLine(text),
      ' declare c record; begin for c in select invoice_id, sum(cents) as amount from counted group by 1 loop ' +
        'update invoices i set paid = i.paid + c.amount where i.id = c.invoice_id; end loop; end;',
    )
  })

  it('is unchanged when it only reads the rows', () => {
    const text = 'perform index_customers((select array_agg(distinct customer_id) from changed));'
    assert.equal(rewriteRowByRow(text), text)
    const other = 'insert into journal (a) select a from customers where id = new.id;'
    assert.equal(rewriteRowByRow(other), other)
  })
})
