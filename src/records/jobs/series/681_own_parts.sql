-- previous release: goes on
-- Parts of a visit that people changed for it alone: time, price, people, place, text. Null where that was before this
-- column: then they are what differs from the series (docs/spec/recurrence.md#several-visits).
alter table jobs add column own_parts text[];
