-- Whether a company's own provider vouched for whoever approved the grant last, else their own account did; null: not known.
alter table oauth_grants add column is_bound boolean;
