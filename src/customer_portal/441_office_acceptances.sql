-- Whether members of the company use the network and the browser from which it was accepted.
alter table acceptances add column from_office boolean not null default false;
