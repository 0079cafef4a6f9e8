-- Files of jobs, quotes and invoices come in as those of customers and items do.
alter table imports drop constraint imports_kind_check;
alter table imports add constraint imports_kind_check check (kind in ('customers', 'catalog_items', 'jobs', 'quotes', 'invoices'));
