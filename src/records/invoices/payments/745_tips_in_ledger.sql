-- previous release: goes on
-- Tips are entries of their own (docs/spec/money.md#the-ledger). A release that doesn't know them can't reverse one.
alter table ledger_entries add column tips bigint not null default 0,
  drop constraint ledger_entries_check,
  drop constraint ledger_entries_source_check,
  add constraint ledger_entries_balance
    check (receivable + undeposited + clearing + bad_debts + income + deposits + tips + tax = 0),
  add constraint ledger_entries_source check (source in ('invoice', 'write_off', 'payment', 'tip')),
  add constraint ledger_entries_tip check ((source = 'tip') = (tips <> 0));
