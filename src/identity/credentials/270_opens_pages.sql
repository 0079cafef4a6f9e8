-- Which software of a connection said in its handshake that it opens pages for its person: a digest of what it calls itself
-- (docs/spec/proposals.md#opening-the-page).
alter table credentials add column opens_pages bytea;
