-- What stands at the head of a document beside address, phone and e-mail; whether a company is there to try things out;
-- and when its owner had enough of the first steps.
alter table tenants
  add column website text check (char_length(website) <= 200),
  add column license_number text check (char_length(license_number) <= 100),
  add column is_demo boolean not null default false,
  add column first_steps_dismissed_at timestamptz(3);
