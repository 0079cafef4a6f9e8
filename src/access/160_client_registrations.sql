-- The network that a client registered itself from: an IPv4 /24 or an IPv6 /48, null of those before.
alter table oauth_clients add column network text;
create index oauth_clients_unused_of_network on oauth_clients (network, created_at) where kind = 'registered' and consented_at is null;
-- A list of clients, page by page: administrators' first, then by age, newest first.
create index oauth_clients_listed on oauth_clients ((kind = 'confidential'), created_at, id);
-- Whether an authorization of a client is under way.
create index oauth_records_under_way on oauth_records ((payload -> 'params' ->> 'client_id')) where kind = 'Interaction';
