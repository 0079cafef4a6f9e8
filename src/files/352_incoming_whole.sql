-- The bytes that came in pieces, in one. A function, for a cluster looks nothing up in the middle of an insert.
create function incoming_whole(tenant uuid, whole uuid) returns bytea language plpgsql stable as $$
begin
  return (select string_agg(bytes, ''::bytea order by position) from incoming_pieces where tenant_id = tenant and id = whole);
end $$;
