-- previous release: goes on
-- the invoice that an act of billing made or took, which later acts of the phone name by that act
alter table field_acts add column record_id uuid;
