-- When the person was recognized by their company's own provider, as it says; null where it doesn't.
alter table pending_sign_ins add column recognized_at timestamptz(3);
