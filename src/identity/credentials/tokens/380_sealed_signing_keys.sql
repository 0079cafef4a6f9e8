-- The private part of a key that signs tokens, sealed by the data key for its row; null where it stands in `jwk`, without a data key.
alter table signing_keys add column sealed bytea;
