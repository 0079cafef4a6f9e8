-- Whether anything is left that an authorization could be continued with.
create index oauth_records_of_authorization on oauth_records (authorization_id) where authorization_id is not null;
