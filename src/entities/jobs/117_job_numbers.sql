-- What people call a job, in one place.
alter table jobs add column display_number text not null generated always as ('J-' || number::text) stored;
