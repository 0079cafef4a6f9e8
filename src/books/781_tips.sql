-- previous release: goes on
-- Tips are sent as journal entries of their own (docs/spec/books.md).
alter table books_records drop constraint books_records_kind_check,
  add constraint books_records_kind_check
    check (kind in ('customer', 'item', 'invoice', 'payment', 'refund', 'credit', 'reversal', 'tip'));
