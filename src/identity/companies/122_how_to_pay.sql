-- What a customer is told of other ways to pay, on the page of an invoice.
alter table tenants add column how_to_pay text check (char_length(how_to_pay) <= 1000);
