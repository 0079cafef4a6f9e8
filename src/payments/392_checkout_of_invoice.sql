-- A page that was paid on stands, too, until its money is booked: it is looked for with the others of its invoice.
create index checkout_sessions_of_invoice on checkout_sessions (tenant_id, invoice_id);
drop index checkout_sessions_standing;
