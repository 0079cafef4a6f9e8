-- previous release: goes on
-- What the site said of the version that was copied, by which it is asked weekly whether the picture changed.
alter table catalog_pictures
  add column etag text check (length(etag) <= 200),
  add column last_modified text check (length(last_modified) <= 200);
