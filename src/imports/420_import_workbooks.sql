-- An Excel file is kept as the CSV of the sheet that was chosen. The file itself stays where there is another sheet to choose.
alter table imports add column workbook bytea;
alter table imports add column sheets text[] not null default '{}';
alter table imports add column sheet text;
-- first year of its calendar, by which day numbers are read
alter table imports add column epoch smallint not null default 1900 check (epoch in (1900, 1904));

-- A customer's name as its file wrote it, folded: other files name the customer the same way.
alter table import_links add column name_folded text check (char_length(name_folded) <= 200);
create index import_links_of_name on import_links (tenant_id, kind, name_folded) where name_folded is not null;
